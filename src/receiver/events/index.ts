/**
 * The events of the integration platform: schemas, types, and typed handlers for functions behind a receiver's bus. This
 * entry point loads neither Pulumi nor AWS.
 *
 * @module
 */
export {
  type BusInvocation,
  type Delivery,
  deliverySchema,
  type EventHandlers,
  eventHandlers,
} from "./event-handlers.ts";
export { type ParsedEvent, type Payload, parseEvent } from "./parse-event.ts";
export {
  type EventType,
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
