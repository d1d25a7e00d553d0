import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../index.ts";
import { type SettingName, settingNames } from "../settings/table.ts";

/** A tenant of an integration: see {@link dynamic.Tenant}. */
export class Tenant extends dynamic.Tenant {
  protected static override readonly providerChoice = "native";

  /**
   * An existing tenant, which the program reads and does not manage.
   *
   * @param id of the tenant, as the platform shows it.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}): Tenant {
    const settings: { [Setting in SettingName]?: undefined } = {};
    for (const setting of settingNames) settings[setting] = undefined; // with a property each, each has an output
    return new Tenant(name, { ...settings, integration: "" }, { ...options, id });
  }
}

/** Metadata of a tenant that is managed elsewhere: see {@link dynamic.TenantMetadata}. */
export class TenantMetadata extends dynamic.TenantMetadata {
  protected static override readonly providerChoice = "native";

  /**
   * Metadata of a tenant, which the program reads and does not manage.
   *
   * @param id of the tenant.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}): TenantMetadata {
    return new TenantMetadata(name, { tenantId: 0, data: {} }, { ...options, id });
  }
}

/** A build and its release: see {@link dynamic.Build}. */
export class Build extends dynamic.Build {
  protected static override readonly providerChoice = "native";

  /**
   * An existing build, which the program reads and does not manage.
   *
   * @param id of the build, as {@link Build} has it.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}): Build {
    return new Build(name, { integrationId: 0, tag: "" }, { ...options, id });
  }
}

/** A sync of a tenant, with its outcome: see {@link dynamic.SyncTrigger}. */
export class SyncTrigger extends dynamic.SyncTrigger {
  protected static override readonly providerChoice = "native";
}

/** Many tenants of an integration in one resource: see {@link dynamic.TenantFleet}. */
export class TenantFleet extends dynamic.TenantFleet {
  protected static override readonly providerChoice = "native";

  /**
   * Existing tenants of an integration, which the program reads and does not manage.
   *
   * @param id the integration's id and the fleet's name: `101/billing`. With the integration's name in place of its id, a
   * fleet that the program managed before would be another resource, and its tenants would be archived.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}): TenantFleet {
    const canonical = pulumi.output(id).apply((text) => {
      if (/^\d+\//.test(text)) return text;
      throw new pulumi.RunError(
        `TenantFleet.get("${name}"): the id must begin with the integration's id, such as 101/${name}`,
      );
    });
    return new TenantFleet(name, { integration: "", tenants: {} }, { ...options, id: canonical });
  }
}

/** A rollout of a release to the tenants of a fleet: see {@link dynamic.FleetRollout}. */
export class FleetRollout extends dynamic.FleetRollout {
  protected static override readonly providerChoice = "native";
}
