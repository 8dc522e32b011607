import { getDocument, type PDFDocumentProxy, PDFWorker, VerbosityLevel } from 'pdfjs-dist'
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?worker&url'
import { trustedScriptUrl } from '#web/csp/trusted-script-url.ts'

export type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'

export interface OpenPdf {
  pdf: PDFDocumentProxy
  /** Ends its worker too. */
  close: () => void
}

class PdfLocked extends Error {
  override name = 'PdfLocked'
}

/**
 * Nothing is fetched for it: no fonts, no character maps, no decoders from elsewhere. Scripts, forms and links in it are
 * never made; what comes out is drawn and text.
 *
 * @throws PdfLocked when it asks for a password, another error when it cannot be read
 */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  const port = new Worker(trustedScriptUrl(workerAddress))
  const worker = PDFWorker.create({ port, verbosity: VerbosityLevel.ERRORS })
  const loading = getDocument({
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
    // What is still being drawn is told that it is over; nobody waits for it.
    loading
      .destroy()
      .catch(() => undefined)
      .finally(() => {
        worker.destroy()
        port.terminate()
      })
  }
  const broken = new Promise<never>((_resolve, reject) => {
    port.addEventListener('error', () => reject(new Error('What reads PDF could not be started.')), { once: true })
  })
  try {
    return { pdf: await Promise.race([loading.promise, broken]), close }
  } catch (reason) {
    close()
    const isLocked = reason instanceof Error && reason.name === 'PasswordException'
    throw isLocked ? new PdfLocked('This PDF is locked with a password.') : reason
  }
}
