import { trimEndMatching } from '#contract/linear-text.ts'
import { BadSetting } from './environment.ts'
import type { SettingReader } from './setting-reader.ts'

export interface TraceExport {
  /** Complete, with the path of the signal. */
  endpoint: string
  headers: Record<string, string>
  serviceName: string
  resourceAttributes: Record<string, string>
}

export interface MonitoringSettings {
  /** `null`: there is no /metrics. */
  metricsToken: string | null
  /** `null`: runs aren't exported. */
  traceExport: TraceExport | null
}

const minTokenLength = 16

export function readMonitoring(reader: SettingReader, addNote: (text: string) => void): MonitoringSettings {
  const metricsToken = reader.asciiText('KEEPER_METRICS_TOKEN')
  if (metricsToken !== null && metricsToken.length < minTokenLength)
    throw new BadSetting(
      `KEEPER_METRICS_TOKEN must have at least ${minTokenLength} characters; it has ${metricsToken.length}.`,
    )
  return { metricsToken, traceExport: readTraceExport(reader, addNote) }
}

/**
 * OpenTelemetry's variables, with their standard names and meanings. They are often set for every program of a machine,
 * so one that Keeper can't use turns the export off and is noted; it doesn't prevent the start.
 */
function readTraceExport(reader: SettingReader, addNote: (text: string) => void): TraceExport | null {
  const base = reader.text('OTEL_EXPORTER_OTLP_ENDPOINT')
  const tracesEndpoint = reader.text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const protocol = reader.text('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? reader.text('OTEL_EXPORTER_OTLP_PROTOCOL')
  const attributes = reader.list('OTEL_RESOURCE_ATTRIBUTES').map(readPair)
  const sharedHeaders = reader.list('OTEL_EXPORTER_OTLP_HEADERS').map(readPair)
  const tracesHeaders = reader.list('OTEL_EXPORTER_OTLP_TRACES_HEADERS').map(readPair)
  const serviceName = reader.text('OTEL_SERVICE_NAME')
  const exporters = reader.list('OTEL_TRACES_EXPORTER')
  const isDisabled = reader.text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true'
  if ((base === null && tracesEndpoint === null) || isDisabled) return null
  if (exporters.length > 0 && !exporters.includes('otlp')) return null
  const endpoint = tracesEndpoint ?? `${trimBase(base ?? '', addNote)}${tracesPath}`
  const url = URL.parse(endpoint)
  const refuse = (reason: string) => {
    addNote(`runs aren’t exported as traces: ${reason}`)
    return null
  }
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    return refuse('the OTLP endpoint must start with http:// or https:// and have no username or password')
  if (protocol?.toLowerCase() === 'grpc')
    return refuse('Keeper sends JSON over HTTP, not gRPC. Set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json')
  const headers = [...sharedHeaders, ...tracesHeaders]
  if (!headers.every(isHeader))
    return refuse(
      'OTEL_EXPORTER_OTLP_HEADERS must be pairs such as name=value, separated by commas, with special characters percent-encoded',
    )
  const resourceAttributes = Object.fromEntries(attributes.filter(isPair))
  return {
    endpoint: url.href,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    serviceName: serviceName ?? resourceAttributes['service.name'] ?? 'keeper',
    resourceAttributes,
  }
}

const tracesPath = '/v1/traces'

/** Guides of collectors often give the address of the signal, to which every exporter adds the path again. */
function trimBase(base: string, addNote: (text: string) => void): string {
  const trimmed = trimEndMatching(base, /\//)
  if (!trimmed.endsWith(tracesPath)) return trimmed
  addNote(`OTEL_EXPORTER_OTLP_ENDPOINT ends with ${tracesPath}, which Keeper adds itself; it is used once`)
  return trimmed.slice(0, -tracesPath.length)
}

type Pair = [name: string, value: string]

function readPair(text: string): Pair | null {
  const separator = text.indexOf('=')
  try {
    return separator > 0
      ? [text.slice(0, separator).trim(), decodeURIComponent(text.slice(separator + 1).trim())]
      : null
  } catch {
    return null
  }
}

const isPair = (pair: Pair | null): pair is Pair => pair !== null

function isHeader(pair: Pair | null): pair is Pair {
  return pair !== null && /^[!#$%&'*+.^_`|~\w-]+$/.test(pair[0]) && /^[\x20-\x7e]*$/.test(pair[1])
}
