# One resource per tenant of tenants.json, with routes that only this contender uses.
terraform {
  required_providers {
    restapi = { source = "Mastercard/restapi" }
  }
}

variable "address" { type = string }
variable "api_key" { type = string }

provider "restapi" {
  uri                  = var.address
  headers              = { "x-api-key" = var.api_key, "content-type" = "application/json" }
  update_method        = "PATCH"
  write_returns_object = true
}

# A local value is computed once. In the resource itself, each tenant would parse the file again.
locals {
  tenants = {
    for name, settings in jsondecode(file("${path.module}/tenants.json")) :
    name => jsonencode(merge({ name = name, integration_id = 101 }, settings))
  }
}

resource "restapi_object" "tenant" {
  for_each = local.tenants

  path = "/by-id/tenants"
  data = each.value
}
