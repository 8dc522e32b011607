import { NetworkError, tokenKey, toRefusal, UnreadableResponse } from './api.ts'
import { recordCall } from './api-journal.ts'
import { buildAddress } from './api-request.ts'
import type { AnyEndpoint, CallInput, CallResult, UntypedCallInput } from './api-types.ts'

export interface UploadOptions {
  /** Receives the fraction of bytes sent, from 0 to 1. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
}

/** Reports progress, which `fetch` can't. @throws ApiError, NetworkError; the AbortError of the signal */
export function upload<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  file: Blob,
  { onProgress, signal }: UploadOptions = {},
): Promise<CallResult<E>> {
  const url = buildAddress(endpoint, input as UntypedCallInput)
  const startedAt = Date.now()
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(createAbortError())
    const request = new XMLHttpRequest()
    const logCall = (status: number | undefined) =>
      recordCall({
        at: startedAt,
        method: endpoint.method,
        path: url.split('?')[0] ?? url,
        status,
        durationMs: Date.now() - startedAt,
        requestId: request.getResponseHeader('X-Request-Id') ?? undefined,
      })
    const abortRequest = () => request.abort()
    const settle = (callback: () => void) => {
      signal?.removeEventListener('abort', abortRequest)
      callback()
    }
    request.open(endpoint.method, url)
    request.setRequestHeader('Accept', 'application/json')
    request.setRequestHeader('Content-Type', file.type)
    const token = localStorage.getItem(tokenKey)
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () =>
      settle(() => {
        logCall(request.status)
        try {
          resolve(parseUploadAnswer<E>(request, file.size))
        } catch (reason) {
          reject(reason)
        }
      })
    request.onerror = () =>
      settle(() => {
        logCall(undefined)
        reject(new NetworkError('The server couldn’t be reached.'))
      })
    request.onabort = () => settle(() => reject(createAbortError()))
    signal?.addEventListener('abort', abortRequest, { once: true })
    request.send(file)
  })
}

function parseUploadAnswer<E extends AnyEndpoint>(request: XMLHttpRequest, sentBytes: number): CallResult<E> {
  const { status, statusText, responseText } = request
  const headers = new Headers()
  for (const name of ['Retry-After', 'X-Request-Id']) {
    const value = request.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  const response = { status, statusText, headers }
  if (status < 200 || status >= 300) throw toRefusal(response, responseText, sentBytes)
  try {
    const { data } = JSON.parse(responseText) as { data: CallResult<E> }
    return data
  } catch {
    throw new UnreadableResponse(response, responseText)
  }
}

const createAbortError = () => new DOMException('The upload was stopped.', 'AbortError')
