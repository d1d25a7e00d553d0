/**
 * The events of the integration platform for the functions that handle them: schemas, types, and typed handlers for the
 * bus of a webhook receiver. Loads neither Pulumi nor AWS.
 *
 * @module
 */
export {
  type Delivery,
  deliverySchema,
  type ReconciledTenantArchived,
  type ReconciledTenantCreated,
  reconciledTenantArchivedSchema,
  reconciledTenantCreatedSchema,
} from "./delivery.ts";
export { type BusInvocation, type EventHandlers, eventHandlers } from "./event-handlers.ts";
export { type ParsedEvent, parseEvent } from "./parse-event.ts";
export {
  eventSchema,
  eventTypes,
  type IntegrationCreated,
  integrationCreatedSchema,
  type PartnerIntegrationUpdated,
  type PlatformEvent,
  partnerIntegrationUpdatedSchema,
  type RunFailed,
  runFailedSchema,
  type TenantArchived,
  type TenantCreated,
  tenantArchivedSchema,
  tenantCreatedSchema,
} from "./payloads.ts";
