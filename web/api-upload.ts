import { ApiError, NetworkError, tokenKey, Unreadable } from './api.ts'
import { recordCall } from './api-journal.ts'
import { addressFor } from './api-request.ts'
import type { AnyEndpoint, CallInput, CallResult, LooseInput } from './api-types.ts'

export interface UploadOptions {
  /** The share of the bytes sent, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Reports progress, which `fetch` can't. @throws ApiError, NetworkError; the AbortError of the signal */
export function upload<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  file: Blob,
  { onProgress, signal }: UploadOptions = {},
): Promise<CallResult<E>> {
  const url = addressFor(endpoint, input as LooseInput)
  const at = Date.now()
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted())
    const request = new XMLHttpRequest()
    const note = (status: number | undefined) =>
      recordCall({
        at,
        method: endpoint.method,
        path: url.split('?')[0] ?? url,
        status,
        milliseconds: Date.now() - at,
        requestId: request.getResponseHeader('X-Request-Id') ?? undefined,
      })
    const stop = () => request.abort()
    const end = (answer: () => void) => {
      signal?.removeEventListener('abort', stop)
      answer()
    }
    request.open(endpoint.method, url)
    request.setRequestHeader('Accept', 'application/json')
    request.setRequestHeader('Content-Type', file.type)
    const token = localStorage.getItem(tokenKey)
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () =>
      end(() => {
        note(request.status)
        try {
          resolve(parseUploadAnswer<E>(request))
        } catch (reason) {
          reject(reason)
        }
      })
    request.onerror = () =>
      end(() => {
        note(undefined)
        reject(new NetworkError('The server couldn’t be reached.'))
      })
    request.onabort = () => end(() => reject(aborted()))
    signal?.addEventListener('abort', stop, { once: true })
    request.send(file)
  })
}

function parseUploadAnswer<E extends AnyEndpoint>(request: XMLHttpRequest): CallResult<E> {
  const { status, statusText, responseText } = request
  const header = (name: string) => request.getResponseHeader(name)
  const response = { status, statusText, headers: new Headers({ 'Retry-After': header('Retry-After') ?? '' }) }
  if (status < 200 || status >= 300) throw new ApiError(response, responseText)
  try {
    const { data } = JSON.parse(responseText) as { data: CallResult<E> }
    return data
  } catch {
    throw new Unreadable(response, responseText)
  }
}

const aborted = () => new DOMException('The upload was stopped.', 'AbortError')
