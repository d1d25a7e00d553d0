"""Moves the messages of a dead-letter queue back to its source, as SQS does. moto does not know these two requests.

As on AWS the task runs on after the request that starts it: the first list after it shows it as running.
"""

import time
import uuid

from moto.core.responses import ActionResult
from moto.sqs.responses import SQSResponse

tasks = {}


def start_message_move_task(self):
    arn = self._get_param("SourceArn")
    name = arn.split(":")[-1]
    dead_letters = self.sqs_backend.get_queue(name)
    [source] = self.sqs_backend.list_dead_letter_source_queues(name)
    messages = list(dead_letters._messages)
    for message in messages:
        self.sqs_backend.send_message(source.name, message.body)
    dead_letters._messages.clear()
    task = {"SourceArn": arn, "StartedTimestamp": int(time.time() * 1000), "moved": len(messages), "isNew": True}
    tasks.setdefault(arn, []).insert(0, task)
    return ActionResult({"TaskHandle": str(uuid.uuid4())})


def list_message_move_tasks(self):
    found = tasks.get(self._get_param("SourceArn"), [])[: self._get_param("MaxResults", 1)]
    return ActionResult({"Results": [shown(task) for task in found]})


def shown(task):
    is_running, task["isNew"] = task["isNew"], False
    return {
        "SourceArn": task["SourceArn"],
        "StartedTimestamp": task["StartedTimestamp"],
        "Status": "RUNNING" if is_running else "COMPLETED",
        "ApproximateNumberOfMessagesMoved": 0 if is_running else task["moved"],
    }


SQSResponse.start_message_move_task = start_message_move_task
SQSResponse.list_message_move_tasks = list_message_move_tasks
