import { getDocument, type PDFDocumentProxy, type PDFPageProxy, PDFWorker, VerbosityLevel, version } from 'pdfjs-dist'
import { useEffect, useState } from 'react'
import { toTrustedScriptUrl } from '#web/csp/trusted-script-url.ts'
import { getPdfFilesPath } from './pdf-files-path.ts'
import workerAddress from './pdf-worker.ts?worker&url'

export type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'

export interface OpenPdf {
  pdf: PDFDocumentProxy
  /** Calls `draw` once the previously requested pages are drawn. @returns whether a picture of the page is missing */
  drawPage: (page: PDFPageProxy, draw: () => Promise<unknown>) => Promise<boolean>
  /** A character map couldn't be fetched, so text can be missing. */
  lacksFiles: () => boolean
  /** Also terminates the worker. */
  close: () => void
}

class PdfLocked extends Error {
  override name = 'PdfLocked'
}

/** Loads nothing from elsewhere and creates no scripts, forms or links. @throws PdfLocked if it needs a password */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  const port = new Worker(toTrustedScriptUrl(workerAddress))
  const worker = PDFWorker.create({ port, verbosity: VerbosityLevel.WARNINGS })
  const files = new URL(getPdfFilesPath(version), location.origin).href
  let lacksFiles = false
  class PdfFileLoader {
    async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      const folder = kind === 'cMapUrl' ? 'cmaps' : 'standard_fonts'
      try {
        const response = await fetch(`${files}${folder}/${filename}`)
        if (response.ok) return new Uint8Array(await response.arrayBuffer())
        throw new Error(`${filename} answered ${response.status}`)
      } catch (reason) {
        lacksFiles = true
        throw reason
      }
    }
  }
  const loadingTask = getDocument({
    data: bytes,
    worker,
    isEvalSupported: false,
    useWasm: false,
    useWorkerFetch: false,
    BinaryDataFactory: PdfFileLoader,
    cMapUrl: `${files}cmaps/`,
    standardFontDataUrl: `${files}standard_fonts/`,
    wasmUrl: `${files}wasm/`,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
    maxImageSize: 100_000_000,
  })
  const close = () => {
    loadingTask
      .destroy()
      .catch(() => undefined)
      .finally(() => {
        worker.destroy()
        port.terminate()
      })
  }
  const workerFailure = new Promise<never>((_resolve, reject) => {
    port.addEventListener('error', () => reject(new Error('The PDF reader couldn’t be started.')), { once: true })
  })
  try {
    const pdf = await Promise.race([loadingTask.promise, workerFailure])
    return { pdf, drawPage: createPageDrawer(port), lacksFiles: () => lacksFiles, close }
  } catch (reason) {
    close()
    const isLocked = reason instanceof Error && reason.name === 'PasswordException'
    throw isLocked ? new PdfLocked('This PDF is locked with a password.') : reason
  }
}

/** One page at a time, because the worker's warnings don't name the page. */
function createPageDrawer(port: Worker): OpenPdf['drawPage'] {
  const incompletePages = new Set<number>()
  let currentPage: number | undefined
  let previousDrawing: Promise<unknown> = Promise.resolve()
  port.addEventListener('message', ({ data }) => {
    if (currentPage !== undefined && data?.missingPicture === true) incompletePages.add(currentPage)
  })
  return async (page, draw) => {
    const drawing = previousDrawing.then(async () => {
      currentPage = page.pageNumber
      try {
        await draw()
      } finally {
        currentPage = undefined
      }
      return incompletePages.has(page.pageNumber) || (await hasEmptyPicture(page))
    })
    previousDrawing = drawing.catch(() => undefined)
    return drawing
  }
}

/** A picture that failed on an earlier page isn't decoded again, so this page gets no warning of its own. */
async function hasEmptyPicture(page: PDFPageProxy): Promise<boolean> {
  const emptyPictures = [...(page.commonObjs as Iterable<[string, unknown]>)].filter(([, data]) => data === null)
  if (emptyPictures.length === 0) return false
  const { argsArray } = await page.getOperatorList()
  return argsArray.some((values: unknown) => Array.isArray(values) && emptyPictures.some(([id]) => id === values[0]))
}

/** Opens a PDF and measures the aspect ratio of its first page; closes it on unmount. Both functions must be stable. */
export function useOpenPdf(
  load: () => Promise<Blob>,
  onFailed: (reason: unknown) => void,
): { pdfFile: OpenPdf; ratio: number } | undefined {
  const [openDocument, setOpenDocument] = useState<{ pdfFile: OpenPdf; ratio: number }>()
  useEffect(() => {
    let isUnmounted = false
    let close = () => {}
    async function open() {
      const blob = await load()
      if (isUnmounted) return
      const pdfFile = await openPdf(new Uint8Array(await blob.arrayBuffer()))
      close = pdfFile.close
      if (isUnmounted) return close()
      const { width, height } = (await pdfFile.pdf.getPage(1)).getViewport({ scale: 1 })
      if (!isUnmounted) setOpenDocument({ pdfFile, ratio: width / height })
    }
    open().catch((reason) => {
      if (!isUnmounted) onFailed(reason)
    })
    return () => {
      isUnmounted = true
      close()
    }
  }, [load, onFailed])
  return openDocument
}
