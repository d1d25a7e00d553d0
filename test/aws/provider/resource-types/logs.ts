import { randomBytes } from "node:crypto";
import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  DeleteLogGroupCommand,
  DescribeLogGroupsCommand,
  PutRetentionPolicyCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { z } from "zod";
import { notFound, resourceType } from "../resource-type.ts";

const logs = new CloudWatchLogsClient();

export const logGroup = resourceType({
  inputs: z.object({ namePrefix: z.string(), retentionInDays: z.int() }),
  replacedBy: ["namePrefix"],
  create: async ({ namePrefix, retentionInDays }) => {
    const name = `${namePrefix}${randomBytes(13).toString("hex")}`; // the real provider adds 26 characters too
    await logs.send(new CreateLogGroupCommand({ logGroupName: name }));
    await retain(name, retentionInDays);
    return { id: name, outputs: { name, arn: (await find(name)).arn } };
  },
  read: find,
  update: (id, { retentionInDays }) => retain(id, retentionInDays),
  delete: (id) => logs.send(new DeleteLogGroupCommand({ logGroupName: id })),
});

async function find(name: string) {
  const { logGroups = [] } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: name }));
  const found = logGroups.find(({ logGroupName }) => logGroupName === name);
  if (found === undefined) throw notFound(`log group ${name}`);
  return found;
}

async function retain(logGroupName: string, retentionInDays: number): Promise<void> {
  await logs.send(new PutRetentionPolicyCommand({ logGroupName, retentionInDays }));
}
