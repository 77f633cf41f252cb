/**
 * Starts OpenTelemetry's SDK where `telemetry.otlpUrl` asks for it. The rest of the gateway knows the API alone.
 *
 * The SDK's packages are optional and loaded only here. Its own environment variables hold as everywhere:
 * OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_HEADERS.
 */
import type { Logger } from "pino";
import type { GatewayConfig } from "../config/schema.ts";

/** Sends out what is still held and ends the SDK. */
export type StopTelemetry = () => Promise<void>;

const EXPORT_TIMEOUT_MS = 3_000;
const PACKAGES = "@opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-http @opentelemetry/resources";

/**
 * Once a process, before the first request; a change of `telemetry` needs a restart.
 * @param version the package's
 */
export async function startTelemetry(
  { otlpUrl }: GatewayConfig["telemetry"],
  version: string,
  log: Logger
): Promise<StopTelemetry> {
  if (otlpUrl === undefined) return async () => undefined;
  const sdk = await load();
  if (sdk === null) {
    log.warn({ packages: PACKAGES }, "telemetry.otlpUrl is set, but the packages that send traces are not installed");
    return async () => undefined;
  }
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources, { W3CTraceContextPropagator }] =
    sdk;
  const own = resources.resourceFromAttributes({ "service.name": "focowiki-gateway", "service.version": version });
  const provider = new NodeTracerProvider({
    resource: own.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: otlpUrl, timeoutMillis: EXPORT_TIMEOUT_MS }))]
  });
  // Trace context alone: baggage of callers would be sent on.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  // A collector that is away must not turn a clean stop into a failed one.
  return () => provider.shutdown().catch(() => log.warn("the last traces could not be sent"));
}

async function load() {
  try {
    return await Promise.all([
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/core")
    ]);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}
