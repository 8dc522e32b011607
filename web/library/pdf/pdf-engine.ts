import { getDocument, type PDFDocumentProxy, PDFWorker, VerbosityLevel } from 'pdfjs-dist'
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?worker&url'
import { toTrustedScriptUrl } from '#web/csp/trusted-script-url.ts'

export type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'

export interface OpenPdf {
  pdf: PDFDocumentProxy
  /** Also terminates the worker. */
  close: () => void
}

class PdfLocked extends Error {
  override name = 'PdfLocked'
}

/** Loads nothing external and creates no scripts, forms or links. @throws PdfLocked if it needs a password */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  const port = new Worker(toTrustedScriptUrl(workerAddress))
  const worker = PDFWorker.create({ port, verbosity: VerbosityLevel.ERRORS })
  const loadingTask = getDocument({
    data: bytes,
    worker,
    isEvalSupported: false,
    useWasm: false,
    useWorkerFetch: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
    maxImageSize: 40_000_000,
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
    return { pdf: await Promise.race([loadingTask.promise, workerFailure]), close }
  } catch (reason) {
    close()
    const isLocked = reason instanceof Error && reason.name === 'PasswordException'
    throw isLocked ? new PdfLocked('This PDF is locked with a password.') : reason
  }
}
