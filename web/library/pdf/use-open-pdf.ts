import { useEffect, useState } from 'react'
import { type OpenPdf, openPdf } from './pdf-engine.ts'

/** With the ratio of the first page. Closes the file on unmount. Both functions must be stable. */
export function useOpenPdf(
  load: () => Promise<Blob>,
  onFailed: (reason: unknown) => void,
): { opened: OpenPdf; ratio: number } | undefined {
  const [openDocument, setOpenDocument] = useState<{ opened: OpenPdf; ratio: number }>()
  useEffect(() => {
    let isUnmounted = false
    let close = () => {}
    async function open() {
      const blob = await load()
      if (isUnmounted) return
      const opened = await openPdf(new Uint8Array(await blob.arrayBuffer()))
      close = opened.close
      if (isUnmounted) return close()
      const { width, height } = (await opened.pdf.getPage(1)).getViewport({ scale: 1 })
      if (!isUnmounted) setOpenDocument({ opened, ratio: width / height })
    }
    open().catch((reason) => !isUnmounted && onFailed(reason))
    return () => {
      isUnmounted = true
      close()
    }
  }, [load, onFailed])
  return openDocument
}
