"""Prints the verdicts of Python's jsonschema on payloads: validate.py SCHEMA PAYLOADS"""
import json
import sys

from jsonschema import Draft202012Validator

schema, payloads = (json.load(open(file, encoding="utf-8")) for file in sys.argv[1:3])
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
print(json.dumps({"python3-jsonschema": [validator.is_valid(payload) for payload in payloads]}))
