import { useEffect, useRef, useState } from 'react'
import { boardPictureTypes, boardSharing, maxBoardPictureBytes } from '#contract/boards/board-sharing.ts'
import { truncate } from '#contract/truncate.ts'
import { NetworkError } from '#web/api.ts'
import { upload } from '#web/api-upload.ts'
import { measureMedia } from '#web/keepers/media/media-file.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { showToast } from '#web/ui/show-toast.tsx'

/** Why a file isn't accepted, or undefined. */
function getRefusal({ type, size, name }: Pick<File, 'type' | 'size' | 'name'>): string | undefined {
  const fileLabel = name || 'This file'
  if (!(boardPictureTypes as readonly string[]).includes(type)) {
    return `${fileLabel} isn’t supported. Choose a JPEG, PNG, WebP or GIF picture.`
  }
  if (size === 0) return `${fileLabel} is empty.`
  if (size > maxBoardPictureBytes) return `${fileLabel} is larger than 20 MB.`
  return undefined
}

/** Uploads one picture at a time; choosing another cancels the previous upload. */
export function usePictureUpload(boardId: string, onUploaded: (pictureId: string) => void) {
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
    const refusal = getRefusal(file)
    if (refusal) return setProblem({ text: refusal })
    const currentJob = Object.assign(new AbortController(), { of: file.name })
    job.current = currentJob
    setSending({ name: file.name, share: 0 })
    try {
      const { width, height } = await measureMedia({ blob: file, mime: file.type, kind: 'image' })
      const uploaded = await upload(
        boardSharing.upload,
        {
          params: { id: boardId },
          query: {
            id: createClientId(),
            ...(file.name && { name: truncate(file.name, 255) }),
            ...(width !== undefined && { width }),
            ...(height !== undefined && { height }),
          },
        },
        file,
        {
          signal: currentJob.signal,
          onProgress: (share) => currentJob.signal.aborted || setSending({ name: file.name, share }),
        },
      )
      if (currentJob.signal.aborted) return
      job.current = undefined
      setSending(undefined)
      onUploaded(uploaded.id)
    } catch (reason) {
      if (currentJob.signal.aborted) return
      job.current = undefined
      setSending(undefined)
      const cause = reason instanceof NetworkError ? 'The server can’t be reached.' : String((reason as Error).message)
      setProblem({ text: `${file.name || 'The picture'} wasn’t uploaded. ${cause}`, file })
    }
  }

  const failedFile = problem?.file
  return {
    sending,
    problem: problem?.text,
    send: (file: File) => void send(file),
    retry: failedFile && (() => void send(failedFile)),
    clearProblem: () => setProblem(undefined),
    stop: () => {
      job.current?.abort()
      job.current = undefined
      setSending(undefined)
    },
  }
}
