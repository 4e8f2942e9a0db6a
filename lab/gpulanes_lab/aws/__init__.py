"""An emulated pulumi-resource-aws: real create, read, update and delete over moto, refusing what AWS refuses.

What moto lacks is validated against botocore's service model and kept in a store of the emulator's own.
"""
