"""Moves the messages of a dead-letter queue back to its source, as SQS does. moto does not know this request."""

import uuid

from moto.core.responses import ActionResult
from moto.sqs.responses import SQSResponse


def start_message_move_task(self):
    arn = self._get_param("SourceArn")
    name = arn.split(":")[-1]
    dead_letters = self.sqs_backend.get_queue(name)
    [source] = self.sqs_backend.list_dead_letter_source_queues(name)
    messages = list(dead_letters._messages)
    for message in messages:
        self.sqs_backend.send_message(source.name, message.body)
    dead_letters._messages.clear()
    return ActionResult({"TaskHandle": str(uuid.uuid4())})


SQSResponse.start_message_move_task = start_message_move_task
