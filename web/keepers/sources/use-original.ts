import { useCallback, useRef } from 'react'
import { keeperMedia } from '#contract/keepers/media.ts'
import type { Source } from '#contract/keepers/sources.ts'
import { fetchFile } from '#web/api/api.ts'

/** Larger files are fetched only when asked for. */
const quickBytes = 20_000_000

/** The PDF of a document. It is fetched once. */
export function useOriginal(file: Source['file']): { load: () => Promise<Blob>; isQuick: boolean } | undefined {
  const id = file?.id ?? ''
  const pending = useRef<Promise<Blob>>(undefined)
  const load = useCallback(() => {
    pending.current ??= fetchFile(keeperMedia.bytes, { params: { id }, query: {} }).then(({ blob }) => blob)
    pending.current.catch(() => {
      pending.current = undefined
    })
    return pending.current
  }, [id])
  return file?.mime === 'application/pdf' ? { load, isQuick: file.bytes <= quickBytes } : undefined
}
