import { useEffect, useRef, useState } from 'react'
import {
  boardPictureChoices,
  boardPictureTypes,
  boardSharing,
  maxBoardPictureBytes,
} from '#contract/boards/board-sharing.ts'
import { truncate } from '#contract/truncate.ts'
import { ApiError, call, NetworkError } from '#web/api/api.ts'
import { upload } from '#web/api/api-upload.ts'
import { identifyFile, measureMedia, type UploadFile } from '#web/keepers/media/media-file.ts'
import { createSmallPicture } from '#web/keepers/media/small-picture.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { withNames } from '#web/ui/text/with-names.tsx'

/** Detects the type from the bytes, not from the file name; `rejection` says why the file isn't accepted. */
async function identifyPicture(file: File): Promise<UploadFile | { rejection: string }> {
  const fileLabel = file.name || 'This file'
  if (file.size === 0) return { rejection: `${fileLabel} is empty. Choose another picture.` }
  if (file.size > maxBoardPictureBytes)
    return {
      rejection: `${fileLabel} is larger than ${maxBoardPictureBytes / 1024 / 1024} MB. Choose a smaller picture.`,
    }
  const identified = await identifyFile(file, ['image'])
  if ('rejection' in identified || !(boardPictureTypes as readonly string[]).includes(identified.mime))
    return { rejection: `${fileLabel} isn’t supported. Choose ${boardPictureChoices}.` }
  return identified
}

/** Uploads one picture at a time; choosing another cancels the previous upload. */
export function usePictureUpload(boardId: string, onUploaded: (pictureId: string) => void) {
  const [progress, setProgress] = useState<{ name: string; fraction: number }>()
  const [problem, setProblem] = useState<{ text: string; file?: File }>()
  const job = useRef<AbortController & { fileName?: string }>(undefined)
  useEffect(
    () => () => {
      if (!job.current) return
      job.current.abort()
      void showToast(withNames`${job.current.fileName || 'The picture'} wasn’t uploaded, because its frame was closed.`)
    },
    [],
  )

  function finish() {
    job.current = undefined
    setProgress(undefined)
  }
  function stop() {
    job.current?.abort()
    finish()
  }

  async function send(file: File) {
    stop()
    setProblem(undefined)
    const currentJob = Object.assign(new AbortController(), { fileName: file.name })
    const { signal } = currentJob
    job.current = currentJob
    setProgress({ name: file.name, fraction: 0 })
    try {
      const picture = await identifyPicture(file)
      if (signal.aborted) return
      if ('rejection' in picture) {
        finish()
        return setProblem({ text: picture.rejection })
      }
      const { width, height } = await measureMedia(picture)
      const query = { id: createClientId(), name: truncate(file.name, 255) || undefined, width, height }
      const onProgress = (fraction: number) => {
        if (!signal.aborted) setProgress({ name: file.name, fraction })
      }
      const input = { params: { id: boardId }, query }
      const uploaded = await upload(boardSharing.upload, input, picture.blob, { signal, onProgress })
      if (signal.aborted) return
      finish()
      onUploaded(uploaded.id)
      void sendSmallPicture(boardId, uploaded.id, picture.blob)
    } catch (reason) {
      if (signal.aborted) return
      finish()
      const cause = reason instanceof NetworkError ? 'The server can’t be reached.' : getErrorMessage(reason)
      const isFinal = reason instanceof ApiError && reason.isForeign && reason.status === 413
      setProblem({ text: `${file.name || 'The picture'} wasn’t uploaded. ${cause}`, ...(!isFinal && { file }) })
    }
  }

  const failedFile = problem?.file
  return {
    progress,
    problem: problem?.text,
    send: (file: File) => void send(file),
    retry: failedFile && (() => void send(failedFile)),
    clearProblem: () => setProblem(undefined),
    stop,
  }
}

/** Sends a small version. If that fails or this browser can't make one, the server makes it. */
async function sendSmallPicture(boardId: string, pictureId: string, picture: Blob): Promise<void> {
  const bytes = await createSmallPicture(picture)
  if (bytes)
    await call(boardSharing.setSmallPicture, { params: { id: boardId, pictureId }, bytes }).catch(() => undefined)
}
