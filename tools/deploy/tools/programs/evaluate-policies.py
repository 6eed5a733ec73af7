"""Evaluates calls of AWS by MiniStack's evaluator of IAM policies. Takes a file of JSON, and prints for each call whether it is allowed."""
import json
import sys

from ministack.core.iam_evaluator import EvalContext, evaluate, parse_policy_document


def is_allowed(call):
    context = EvalContext(
        principal_arn="arn:aws:iam::123456789012:role/caller",
        principal_type="AssumedRole",
        principal_account="123456789012",
        action=call["action"],
        resource_arn=call["resource"],
        region="eu-central-1",
        service_context={key.lower(): value for key, value in call["context"].items()},
    )
    policies = [parse_policy_document(policy) for policy in call["policies"]]
    limits = [[parse_policy_document(policy)] for policy in call["boundaries"]]
    return evaluate(context, policies, *limits).decision == "Allow"


with open(sys.argv[1], encoding="utf8") as calls:
    print(json.dumps([is_allowed(call) for call in json.load(calls)]))
