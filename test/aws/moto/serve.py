"""Runs moto as a server on a free port and prints the port. Its IAM checks the resource of a request too.

It also stores the saved queries of CloudWatch Logs Insights, which moto does not know.

For most services moto checks policies by the action alone and takes "*" for the resource, which no policy of least
privilege allows. Here the handlers of the services that the receiver uses determine the resource, as AWS does.
"""

import json
import sys
import uuid

import delivery  # noqa: F401
import message_moves  # noqa: F401
from moto.dynamodb.responses import DynamoHandler
from moto.events.responses import EventsHandler
from moto.logs.responses import LogsResponse
from moto.secretsmanager.responses import SecretsManagerResponse
from moto.moto_server.threaded_moto_server import ThreadedMotoServer
from moto.sqs.models import Queue


def arn(handler, service, resource):
    return f"arn:aws:{service}:{handler.region}:{handler.current_account}:{resource}"


def request_of(handler):
    body = handler.raw_body
    return json.loads(body or "{}")


def table(handler):
    request = request_of(handler)
    name = request.get("TableName") or next(iter(tables_of(request)), "*")
    index = f"/index/{request['IndexName']}" if "IndexName" in request else ""
    return (name if name.startswith("arn:") else arn(handler, "dynamodb", f"table/{name}")) + index


def tables_of(request):
    """The tables of a batch or a transaction. The receiver has only one."""
    yield from request.get("RequestItems", {})
    for item in request.get("TransactItems", []):
        yield from (operation["TableName"] for operation in item.values())


def bus(handler):
    request = request_of(handler)
    entries = request.get("Entries") or [{}]
    name = entries[0].get("EventBusName") or request.get("Name") or "default"
    return name if name.startswith("arn:") else arn(handler, "events", f"event-bus/{name}")


def log_stream(handler):
    request = request_of(handler)
    group, stream = request.get("logGroupName", "*"), request.get("logStreamName", "")
    return arn(handler, "logs", f"log-group:{group}:log-stream:{stream}")


def secret(handler):
    # The receiver identifies a secret by its ARN.
    return request_of(handler).get("SecretId", "*")


DynamoHandler._determine_resource = table
EventsHandler._determine_resource = bus
LogsResponse._determine_resource = log_stream
SecretsManagerResponse._determine_resource = secret

query_definitions = {}


def put_query_definition(handler):
    definition = request_of(handler)
    definition_id = definition.setdefault("queryDefinitionId", str(uuid.uuid4()))
    query_definitions[definition_id] = definition
    return json.dumps({"queryDefinitionId": definition_id})


def describe_query_definitions(handler):
    prefix = request_of(handler).get("queryDefinitionNamePrefix", "")
    found = [each for each in query_definitions.values() if each["name"].startswith(prefix)]
    return json.dumps({"queryDefinitions": found})


def delete_query_definition(handler):
    existed = query_definitions.pop(request_of(handler)["queryDefinitionId"], None) is not None
    return json.dumps({"success": existed})


# moto would receive each message at once, and run the consumer in a container of Docker. The tests invoke it themselves.
Queue.lambda_event_source_mappings = property(lambda queue: {}, lambda queue, mappings: None)

LogsResponse.put_query_definition = put_query_definition
LogsResponse.describe_query_definitions = describe_query_definitions
LogsResponse.delete_query_definition = delete_query_definition

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
# Stops when the process that started it ends.
sys.stdin.read()
server.stop()
