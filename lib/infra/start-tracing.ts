import 'server-only'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { brand } from '@/lib/kernel/brand'
import { shutdownHooks } from '@/lib/kernel/shutdown-hooks.mjs'
import { withoutAddresses } from './without-addresses'

/**
 * Sends the spans of Next (requests, rendering, outgoing calls) to a collector, in batches. OpenTelemetry's own
 * variables set the endpoint, the headers, the service name and the sampling. This file is imported only when an
 * endpoint is set, because it loads large packages.
 */
export function startTracing(): void {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': brand.name.toLowerCase() }))
    .merge(detectResources({ detectors: [envDetector] }))
  const spanProcessors = [withoutAddresses, new BatchSpanProcessor(new OTLPTraceExporter())]
  const provider = new NodeTracerProvider({ resource, spanProcessors })
  provider.register()
  shutdownHooks().add(() => provider.shutdown())
}
