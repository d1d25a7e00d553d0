package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	platform "integration-platform.example/sdk/go/integrationplatform"
)

const (
	sixHourly = pulumi.String("0 */6 * * *")
	nightly   = pulumi.String("15 1 * * *")
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		tag := "v1.1.0"
		tested, err := platform.GetRelease(ctx, &platform.GetReleaseArgs{Integration: "crm-to-billing", Tag: &tag})
		if err != nil {
			return err
		}

		acme, err := platform.NewTenant(ctx, "acme", &platform.TenantArgs{
			Integration: pulumi.String("crm-to-billing"),
			Schedule:    sixHourly,
			Release:     &platform.ReleaseArgs{Tag: pulumi.String("v1.0.0")},
			Paused:      pulumi.Bool(false),
			Configs: pulumi.Map{
				"region":     pulumi.String("eu"),
				"batch_size": pulumi.Int(200),
				"api_token":  config.RequireSecret(ctx, "apiToken"),
			},
			Metadata: pulumi.Map{"plan": pulumi.String("gold"), "seats": pulumi.Int(40)},
		})
		if err != nil {
			return err
		}

		tenants := map[string]*platform.TenantArgs{
			"bluebird": {
				Integration: pulumi.String("crm-to-billing"),
				Schedule:    sixHourly,
				Release:     &platform.ReleaseArgs{Tag: pulumi.String("v1.0.0")},
				Paused:      pulumi.Bool(false),
				Configs:     pulumi.Map{"region": pulumi.String("us")},
				Metadata:    pulumi.Map{"plan": pulumi.String("silver")},
			},
			"cedar": {
				Integration: pulumi.String("crm-to-billing"),
				Schedule:    sixHourly,
				// The release that the lookup found.
				Release: &platform.ReleaseArgs{Id: pulumi.Int(tested.ReleaseId)},
				Paused:  pulumi.Bool(false),
				Configs: pulumi.Map{"region": pulumi.String("uk"), "currency": pulumi.String("GBP")},
			},
			"dune": {
				Integration: pulumi.String("crm-to-billing"),
				Schedule:    sixHourly,
				Release:     &platform.ReleaseArgs{Channel: platform.ReleaseChannelLatest},
				Paused:      pulumi.Bool(false),
				Configs: pulumi.Map{
					"region":  pulumi.String("eu"),
					"mapping": pulumi.Map{"parent": pulumi.Sprintf("tenant-%d", acme.TenantId)},
				},
			},
			// Not in use yet: created, and left paused.
			"ember": {
				Integration: pulumi.String("crm-to-billing"),
				Configs:     pulumi.Map{"region": pulumi.String("eu")},
			},
			"fjord-shop": shop(pulumi.String("*/30 * * * *"), pulumi.Map{
				"warehouse": pulumi.String("north"), "currency": pulumi.String("EUR"), "sync_stock": pulumi.Bool(true),
			}),
			"grove-shop": shop(pulumi.String("*/30 * * * *"), pulumi.Map{
				"warehouse": pulumi.String("south"), "currency": pulumi.String("USD"), "sync_stock": pulumi.Bool(false),
			}),
			// Without a schedule of its own, the tenant has that of the integration.
			"harbour-shop": shop(pulumi.String("none"), pulumi.Map{
				"warehouse": pulumi.String("west"), "currency": pulumi.String("GBP"),
			}),
		}
		for name, args := range tenants {
			if _, err := platform.NewTenant(ctx, name, args); err != nil {
				return err
			}
		}

		payroll, err := platform.NewTenantFleet(ctx, "payroll", &platform.TenantFleetArgs{
			Integration: pulumi.String("hr-to-payroll"),
			Limits:      &platform.FleetLimitsArgs{Archive: pulumi.Int(1), Change: pulumi.String("50%")},
			Tenants: platform.FleetTenantMap{
				"ivory-hr": &platform.FleetTenantArgs{
					Schedule: nightly,
					Paused:   pulumi.Bool(false),
					Configs:  pulumi.Map{"company_id": pulumi.String("ivory-01"), "country": pulumi.String("DE")},
				},
				"juniper-hr": &platform.FleetTenantArgs{
					Schedule: nightly,
					Paused:   pulumi.Bool(false),
					Configs: pulumi.Map{
						"company_id":          pulumi.String("juniper-07"),
						"country":             pulumi.String("FR"),
						"include_contractors": pulumi.Bool(true),
					},
				},
				"kelp-hr": &platform.FleetTenantArgs{
					Schedule: nightly,
					Paused:   pulumi.Bool(false),
					Configs:  pulumi.Map{"company_id": pulumi.String("kelp-22"), "country": pulumi.String("SE")},
				},
				"lagoon-hr": &platform.FleetTenantArgs{
					Paused:  pulumi.Bool(true),
					Configs: pulumi.Map{"company_id": pulumi.String("lagoon-03"), "country": pulumi.String("NL")},
				},
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("acmeId", acme.TenantId)
		ctx.Export("payrollIds", payroll.TenantIds)
		return nil
	})
}

func shop(schedule pulumi.String, configs pulumi.Map) *platform.TenantArgs {
	return &platform.TenantArgs{
		Integration: pulumi.String("shop-to-erp"),
		Schedule:    schedule,
		Release:     &platform.ReleaseArgs{Channel: platform.ReleaseChannelLatest},
		Paused:      pulumi.Bool(false),
		Configs:     configs,
	}
}
