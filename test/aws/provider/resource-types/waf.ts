import { z } from "zod";
import { notFound, resourceType } from "../resource-type.ts";
import { waf } from "./account.ts";

export const webAclAssociation = resourceType({
  inputs: z.object({ resourceArn: z.string(), webAclArn: z.string() }),
  replacedBy: ["resourceArn", "webAclArn"],
  create: async ({ resourceArn, webAclArn }) => {
    await waf("AssociateWebACL", { ResourceArn: resourceArn, WebACLArn: webAclArn });
    return { id: `${webAclArn},${resourceArn}` };
  },
  read: async (id, { resourceArn }) => {
    const found = z
      .object({ WebACL: z.unknown() })
      .parse(await waf("GetWebACLForResource", { ResourceArn: resourceArn }));
    if (!found.WebACL) throw notFound(`the association ${id}`);
  },
  delete: (_, { resourceArn }) => waf("DisassociateWebACL", { ResourceArn: resourceArn }),
});
