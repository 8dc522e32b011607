import { useEffect, useRef, useState } from 'react'
import { boardPictureTypes, boardSharing, mostBoardPictureBytes } from '#contract/boards/board-sharing.ts'
import { truncate } from '#contract/truncate.ts'
import { Unreachable } from '#web/api.ts'
import { upload } from '#web/api-upload.ts'
import { measure } from '#web/keepers/media/media-file.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { showToast } from '#web/ui/show-toast.tsx'

/** Why a file isn't accepted, or undefined. */
function refusalOf({ type, size, name }: Pick<File, 'type' | 'size' | 'name'>): string | undefined {
  const what = name || 'This file'
  if (!(boardPictureTypes as readonly string[]).includes(type)) {
    return `${what} isn’t supported. Choose a JPEG, PNG, WebP or GIF picture.`
  }
  if (size === 0) return `${what} is empty.`
  if (size > mostBoardPictureBytes) return `${what} is larger than 20 MB.`
  return undefined
}

/** Uploads one picture at a time; choosing another cancels the previous upload. */
export function usePictureUpload(boardId: string, onThere: (pictureId: string) => void) {
  const [sending, setSending] = useState<{ name: string; share: number }>()
  const [problem, setProblem] = useState<{ text: string; file?: File }>()
  const job = useRef<AbortController & { of?: string }>(undefined)
  useEffect(
    () => () => {
      if (!job.current) return
      job.current.abort()
      void showToast(`${job.current.of || 'The picture'} wasn’t uploaded, because its frame was closed.`)
    },
    [],
  )

  async function send(file: File) {
    job.current?.abort()
    job.current = undefined
    setProblem(undefined)
    setSending(undefined)
    const refused = refusalOf(file)
    if (refused) return setProblem({ text: refused })
    const own = Object.assign(new AbortController(), { of: file.name })
    job.current = own
    setSending({ name: file.name, share: 0 })
    try {
      const { width, height } = await measure({ blob: file, mime: file.type, kind: 'image' })
      const made = await upload(
        boardSharing.upload,
        {
          params: { id: boardId },
          query: {
            id: newClientId(),
            ...(file.name && { name: truncate(file.name, 255) }),
            ...(width !== undefined && { width }),
            ...(height !== undefined && { height }),
          },
        },
        file,
        {
          signal: own.signal,
          onProgress: (share) => own.signal.aborted || setSending({ name: file.name, share }),
        },
      )
      if (own.signal.aborted) return
      job.current = undefined
      setSending(undefined)
      onThere(made.id)
    } catch (reason) {
      if (own.signal.aborted) return
      job.current = undefined
      setSending(undefined)
      const why = reason instanceof Unreachable ? 'The server can’t be reached.' : String((reason as Error).message)
      setProblem({ text: `${file.name || 'The picture'} wasn’t uploaded. ${why}`, file })
    }
  }

  const again = problem?.file
  return {
    sending,
    problem: problem?.text,
    send: (file: File) => void send(file),
    retry: again && (() => void send(again)),
    forgive: () => setProblem(undefined),
    stop: () => {
      job.current?.abort()
      job.current = undefined
      setSending(undefined)
    },
  }
}
