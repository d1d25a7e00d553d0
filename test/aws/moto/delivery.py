"""Delivers events from moto's EventBridge to targets as AWS does, where moto does less.

moto knows no topics as targets, fails the request that put the event if one target fails, and has no dead-letter queues. Here
each target is served by itself. For a target with a dead-letter queue, the policy of a queue or a topic must allow its rule to
send; if not, the event goes to the dead-letter queue, whose policy must allow it too. moto runs no functions: the tests invoke
them.
"""

import copy
import fnmatch
import json

from moto.events.models import Rule
from moto.sns import sns_backends
from moto.sqs import sqs_backends

deliver_by_moto = Rule.send_to_targets


def send_to_targets(rule, event, transform_input=True):
    if not rule.event_pattern.matches_event(event):
        return
    for target in rule.targets:
        if target["Arn"].split(":")[2] == "lambda":
            continue
        dead_letters = target.get("DeadLetterConfig", {}).get("Arn")
        if dead_letters is None or may_send(rule, target["Arn"]):
            send(rule, target, event, transform_input)
        elif may_send(rule, dead_letters):
            send(rule, {"Id": "dead-letters", "Arn": dead_letters}, event, False)


def send(rule, target, event, transform_input):
    if target["Arn"].split(":")[2] == "sns":
        topics(rule).publish(json.dumps(event), arn=target["Arn"])
        return
    with_one_target = copy.copy(rule)
    with_one_target.targets = [target]
    deliver_by_moto(with_one_target, copy.deepcopy(event), transform_input)


def may_send(rule, arn):
    service, name = arn.split(":")[2], arn.split(":")[5]
    if service == "sns":
        policy, action = topics(rule).get_topic(arn)._policy_json, "sns:publish"
    elif service == "sqs":
        policy, action = queues(rule).get_queue(name)._policy_json, "sqs:sendmessage"
    else:
        return True
    return any(
        statement["Effect"] == "Allow"
        and statement["Principal"].get("Service") == "events.amazonaws.com"
        and statement["Action"].lower() == action
        and statement["Resource"] == arn
        and comes_from(rule, service, statement)
        for statement in policy.get("Statement", [])
    )


def comes_from(rule, service, statement):
    if service == "sns":
        return "Condition" not in statement  # EventBridge supports no conditions in the policy of a topic
    [(_, keys)] = statement["Condition"].items()
    return fnmatch.fnmatchcase(rule.arn, keys["aws:SourceArn"])


def topics(rule):
    return sns_backends[rule.account_id][rule.region_name]


def queues(rule):
    return sqs_backends[rule.account_id][rule.region_name]


Rule.send_to_targets = send_to_targets
