import pulumi
from pulumi_integration_platform import Tenant, TenantFleet, get_release

config = pulumi.Config()
six_hourly = "0 */6 * * *"
tested = get_release(integration="crm-to-billing", tag="v1.1.0")

acme = Tenant(
    "acme",
    integration="crm-to-billing",
    schedule=six_hourly,
    release={"tag": "v1.0.0"},
    paused=False,
    configs={"region": "eu", "batch_size": 200, "api_token": config.require_secret("apiToken")},
    metadata={"plan": "gold", "seats": 40},
)
Tenant(
    "bluebird",
    integration="crm-to-billing",
    schedule=six_hourly,
    release={"tag": "v1.0.0"},
    paused=False,
    configs={"region": "us"},
    metadata={"plan": "silver"},
)
Tenant(
    "cedar",
    integration="crm-to-billing",
    schedule=six_hourly,
    release={"id": tested.release_id},  # the release that the lookup found
    paused=False,
    configs={"region": "uk", "currency": "GBP"},
)
Tenant(
    "dune",
    integration="crm-to-billing",
    schedule=six_hourly,
    release={"channel": "Latest"},
    paused=False,
    configs={"region": "eu", "mapping": {"parent": pulumi.Output.concat("tenant-", acme.tenant_id.apply(str))}},
)
# Not in use yet: created, and left paused.
Tenant("ember", integration="crm-to-billing", configs={"region": "eu"})

shops = {
    "fjord-shop": {"warehouse": "north", "currency": "EUR", "sync_stock": True},
    "grove-shop": {"warehouse": "south", "currency": "USD", "sync_stock": False},
    "harbour-shop": {"warehouse": "west", "currency": "GBP"},
}
for name, configs in shops.items():
    Tenant(
        name,
        integration="shop-to-erp",
        # Without a schedule of its own, the tenant has that of the integration.
        schedule="none" if name == "harbour-shop" else "*/30 * * * *",
        release={"channel": "Latest"},
        paused=False,
        configs=configs,
    )

companies = {
    "ivory-hr": {"company_id": "ivory-01", "country": "DE"},
    "juniper-hr": {"company_id": "juniper-07", "country": "FR", "include_contractors": True},
    "kelp-hr": {"company_id": "kelp-22", "country": "SE"},
}
payroll = TenantFleet(
    "payroll",
    integration="hr-to-payroll",
    limits={"archive": 1, "change": "50%"},
    tenants={
        **{
            name: {"schedule": "15 1 * * *", "paused": False, "configs": configs}
            for name, configs in companies.items()
        },
        "lagoon-hr": {"paused": True, "configs": {"company_id": "lagoon-03", "country": "NL"}},
    },
)

pulumi.export("acmeId", acme.tenant_id)
pulumi.export("payrollIds", payroll.tenant_ids)
