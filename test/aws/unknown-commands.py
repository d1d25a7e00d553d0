"""Reads commands of the AWS CLI, one on a line, and prints what is wrong with them: nothing if the CLI knows them.

The CLI makes its commands and options from the same descriptions of the services that botocore has. `aws logs tail` is the
only command here that the CLI implements itself.
"""

import shlex
import sys

import botocore.session
import jmespath
from botocore import xform_name

session = botocore.session.get_session()
of_every_command = {"region", "query", "output", "cli-binary-format"}
own_commands = {("logs", "tail"): {"since", "filter-pattern", "follow", "format"}}


def options_of(service, command):
    if (service, command) in own_commands:
        return own_commands[service, command]
    model = session.get_service_model(service)
    operations = {xform_name(name, "-"): name for name in model.operation_names}
    shape = model.operation_model(operations[command]).input_shape
    return {xform_name(member, "-") for member in shape.members} if shape else set()


def check(line):
    program, service, command, *arguments = shlex.split(line, comments=True)
    known = options_of(service, command) | of_every_command
    names = [argument.removeprefix("--") for argument in arguments if argument.startswith("--")]
    for name in names:
        if name not in known:
            yield f"{service} {command} has no option --{name}"
    for option, value in zip(arguments, arguments[1:]):
        if option == "--query":
            jmespath.compile(value)


for line in sys.stdin.read().splitlines():
    try:
        for problem in check(line):
            print(f"{problem}: {line}")
    except Exception as error:
        print(f"{type(error).__name__} {error}: {line}")
