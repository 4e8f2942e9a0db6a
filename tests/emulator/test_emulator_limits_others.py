"""What IAM, S3, SQS and EventBridge refuse, one case per limit."""

import pytest

from emulated_aws import Driver
from emulated_estate import policy
from emulated_limits import Case, assert_refused, named, rules

IAM_CASES = (
    Case("role", {"name": "r" * 65}, "name", "maximum of 64"),
    Case("role", {"name": "a role"}, "name", "does not match"),
    Case("role", {"maxSessionDuration": 60}, "maxSessionDuration", "minimum of 3600"),
    Case("role", {"assumeRolePolicy": "trust me"}, "assumeRolePolicy", "not JSON"),
    Case("role", {"assumeRolePolicy": "{}"}, "assumeRolePolicy", "has a Statement"),
    Case("role", {"assumeRolePolicy": policy({"Action": "a"})}, "assumeRolePolicy", "Effect of Allow or Deny"),
    Case(
        "role",
        {"assumeRolePolicy": policy({"Effect": "Allow", "Sid": "s" * 2048})},
        "assumeRolePolicy",
        "LimitExceeded",
    ),
    Case("role policy", {"policy": policy({"Effect": "Allow", "Sid": "s" * 10240})}, "policy", "LimitExceeded"),
    Case("profile", {"name": "p" * 129}, "name", "maximum of 128"),
)

STORAGE_CASES = (
    Case("bucket", {"bucket": "ab"}, "bucket", "3 to 63"),
    Case("bucket", {"bucket": "b" * 64}, "bucket", "3 to 63"),
    Case("bucket", {"bucket": "My-Bucket"}, "bucket", "lowercase"),
    Case("bucket", {"bucket": "a..b"}, "bucket", "3 to 63"),
    Case("bucket", {"bucket": "192.168.5.4"}, "bucket", "reserved form"),
    Case("bucket", {"bucket": "xn--bucket"}, "bucket", "reserved form"),
    Case("bucket", {"acl": "private"}, "acl", "no property that the emulated provider covers"),
    Case("versioning", {"versioningConfiguration": {"status": "On"}}, "versioningConfiguration.status", "not one of"),
    Case(
        "encryption",
        {"rules": [{"applyServerSideEncryptionByDefault": {"sseAlgorithm": "DES"}}]},
        "rules[0].applyServerSideEncryptionByDefault.sseAlgorithm",
        "is not one of",
    ),
    Case(
        "encryption",
        {"rules": [{"applyServerSideEncryptionByDefault": {"sseAlgorithm": "AES256", "kmsMasterKeyId": "k"}}]},
        "rules[0].applyServerSideEncryptionByDefault.kmsMasterKeyId",
        "only for aws:kms",
    ),
    Case("lifecycle", rules({}, {}), "rules[1].id", "given twice"),
    Case("lifecycle", rules({"status": "On"}), "rules[0].status", "is not one of"),
    Case("lifecycle", rules({"expiration": None}), "rules[0].status", "at least one action"),
    Case(
        "lifecycle",
        rules({"transitions": [{"days": 7, "storageClass": "STANDARD_IA"}]}),
        "rules[0].transitions[0].days",
        "at least 30 days",
    ),
    Case(
        "lifecycle",
        rules({"transitions": [{"days": 90, "storageClass": "GLACIER"}]}),
        "rules[0].expiration.days",
        "greater than the transition's",
    ),
    Case(
        "lifecycle",
        rules({"transitions": [{"days": 30, "storageClass": "TAPE"}]}),
        "rules[0].transitions[0].storageClass",
        "is not one of",
    ),
    Case("lifecycle", rules({"expiration": {}}), "rules[0].expiration", "exactly one"),
    Case("lifecycle", rules({"prefix": "a"}), "rules[0].prefix", "conflicts with filter"),
    Case(
        "lifecycle",
        rules({"filter": {"prefix": "a", "objectSizeLessThan": 5}}),
        "rules[0].filter",
        "combine them in and",
    ),
    Case(
        "lifecycle",
        rules(
            {
                "filter": {"tag": {"key": "a", "value": "b"}},
                "abortIncompleteMultipartUpload": {"daysAfterInitiation": 1},
            },
        ),
        "rules[0].abortIncompleteMultipartUpload",
        "tag filter",
    ),
    Case("bucket policy", {"policy": "no"}, "policy", "not JSON"),
)

MESSAGE_CASES = (
    Case("queue", {"name": "q" * 81}, "name", "at most 80"),
    Case("queue", {"name": "a.b"}, "name", "at most 80 letters"),
    Case("queue", {"name": "q", "fifoQueue": True}, "name", "ends in .fifo"),
    Case("queue", {"deduplicationScope": "queue"}, "deduplicationScope", "only for FIFO"),
    Case("queue", {"messageRetentionSeconds": 30}, "messageRetentionSeconds", "60 to 1209600"),
    Case("queue", {"visibilityTimeoutSeconds": 43201}, "visibilityTimeoutSeconds", "0 to 43200"),
    Case("queue", {"kmsMasterKeyId": "k", "sqsManagedSseEnabled": True}, "sqsManagedSseEnabled", "conflicts"),
    Case("queue", {"redrivePolicy": "no"}, "redrivePolicy", "is not JSON"),
    Case("queue", {"policy": "no"}, "policy", "not JSON"),
    Case("queue policy", {"policy": policy()}, "policy", "has a Statement"),
    Case("event rule", {"eventPattern": None}, "eventPattern", "is required"),
    Case("event rule", {"eventPattern": "no"}, "eventPattern", "not JSON"),
    Case("event rule", {"eventPattern": '{"source":"aws.ec2"}'}, "eventPattern", "an object or an array"),
    Case("event rule", {"eventPattern": "[]"}, "eventPattern", "at least one field"),
    Case("event rule", {"name": "r" * 65}, "name", "maximum of 64"),
    Case("event rule", {"state": "ON"}, "state", "is not one of"),
    Case(
        "event rule",
        {"scheduleExpression": "rate(1 hour)", "eventBusName": "mine"},
        "scheduleExpression",
        "only supported on the default",
    ),
    Case("target", {"input": "a", "inputPath": "$.b"}, "inputPath", "conflicts with input"),
    Case("target", {"arn": "arn:aws:sqs:us-east-1:1:q.fifo"}, "sqsTarget.messageGroupId", "is required"),
    Case(
        "target", {"retryPolicy": {"maximumRetryAttempts": 200}}, "retryPolicy.maximumRetryAttempts", "maximum of 185"
    ),
)


@pytest.mark.parametrize("case", [*IAM_CASES, *STORAGE_CASES, *MESSAGE_CASES], ids=named)
def test_what_the_real_api_refuses_is_refused_at_its_property(case: Case, aws: Driver) -> None:
    assert_refused(case, aws)
