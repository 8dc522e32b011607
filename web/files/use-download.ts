import { useRef, useState } from 'react'
import { type FetchedFile, sendRequest, toFetchedFile } from '../api/api.ts'
import type { AnyEndpoint, CallInput, UntypedCallInput } from '../api/api-types.ts'
import { saveFile } from './save-file.ts'

const megabyte = 1024 * 1024

export function useDownload() {
  const [receivedBytes, setReceivedBytes] = useState(0)
  const controllerRef = useRef<AbortController>(null)

  /** Resolves to the file name; undefined when stopped. */
  async function startDownload<E extends AnyEndpoint>(
    endpoint: E,
    input: CallInput<E>,
    fallbackName: string,
  ): Promise<string | undefined> {
    const controller = new AbortController()
    controllerRef.current = controller
    setReceivedBytes(0)
    let file: FetchedFile
    try {
      file = await downloadFile(endpoint, { ...input, signal: controller.signal }, setReceivedBytes)
    } catch (reason) {
      if (controller.signal.aborted) return undefined
      throw reason
    }
    const { blob, name = fallbackName } = file
    saveFile(blob, name)
    return name
  }

  return {
    startDownload,
    stop: () => controllerRef.current?.abort(),
    progressText: formatProgress(receivedBytes),
  }
}

/** Empty before the download and while it runs. */
export function formatDownloadResult(download: {
  status: 'idle' | 'pending' | 'success' | 'error'
  data: string | undefined
  error: Error | null
}): string {
  if (download.error) return download.error.message
  if (download.status !== 'success') return ''
  return download.data ? `${download.data} is in your downloads.` : 'Stopped. Nothing was saved.'
}

function formatProgress(bytes: number): string | undefined {
  if (bytes === 0) return undefined
  return bytes < megabyte
    ? 'Less than 1 MB so far'
    : `${Math.floor(bytes / megabyte).toLocaleString('en-US')} MB so far`
}

const progressIntervalMs = 250

/** Downloads a large file and reports the bytes received; the total is unknown, because the server streams it. */
export async function downloadFile<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  onReceived: (bytes: number) => void,
): Promise<FetchedFile> {
  const response = await sendRequest(endpoint, input as UntypedCallInput, '*/*')
  if (!response.body) return toFetchedFile(response)
  let receivedBytes = 0
  let lastReportedAt = 0
  const countingStream = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      receivedBytes += chunk.byteLength
      const now = performance.now()
      if (now - lastReportedAt >= progressIntervalMs) {
        lastReportedAt = now
        onReceived(receivedBytes)
      }
      controller.enqueue(chunk)
    },
  })
  return toFetchedFile(response, new Response(response.body.pipeThrough(countingStream)))
}
