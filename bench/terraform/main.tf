# The tenants of tenants.json, a resource each, by routes that only this contender is given.
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

resource "restapi_object" "tenant" {
  for_each = jsondecode(file("${path.module}/tenants.json"))

  path = "/by-id/tenants"
  data = jsonencode(merge({ name = each.key, integration_id = 101 }, each.value))
}
