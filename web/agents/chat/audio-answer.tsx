import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type AudioOutput, runs } from '#contract/agents/runs.ts'
import { fetchFile } from '#web/api.ts'
import { saveFile } from '#web/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { reasonText } from '../runs/run-agent.ts'

/** The recording of an answer that is spoken: fetched with the token, and let go of with the page. */
export function AudioAnswer({ runId, audio }: { runId: string; audio: AudioOutput }) {
  const [file, setFile] = useState<{ blob: Blob; url: string; name: string }>()
  const [problem, setProblem] = useState<string>()
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt fetches again
  useEffect(() => {
    const controller = new AbortController()
    let url: string | undefined
    setProblem(undefined)
    fetchFile(runs.audio, { params: { runId }, signal: controller.signal }).then(
      ({ blob, name }) => {
        if (controller.signal.aborted) return
        url = URL.createObjectURL(blob)
        setFile({ blob, url, name: name ?? `answer-${runId.slice(0, 8)}${ending(audio.mime)}` })
      },
      (reason) => {
        if (!controller.signal.aborted) setProblem(reasonText(reason))
      },
    )
    return () => {
      controller.abort()
      if (url) URL.revokeObjectURL(url)
    }
  }, [runId, audio.mime, attempt])

  if (problem)
    return (
      <p role="alert" className="mb-3 flex flex-wrap items-center gap-2 font-sans text-ui">
        The recording could not be loaded: {problem}
        <Button size="small" onClick={() => setAttempt(attempt + 1)}>
          Retry
        </Button>
      </p>
    )
  if (!file)
    return (
      <SkeletonGroup label="Loading the recording" className="mb-3">
        <Skeleton className="h-[54px] w-full max-w-md rounded-full" />
      </SkeletonGroup>
    )
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2.5">
      {/* biome-ignore lint/a11y/useMediaCaption: the words spoken are the question above it */}
      <audio controls preload="metadata" src={file.url} className="min-w-0 max-w-md flex-1 basis-64" />
      <Button size="small" onClick={() => saveFile(file.blob, file.name)} icon={<Download aria-hidden size={13} />}>
        Download
      </Button>
    </div>
  )
}

const ending = (mime: string) =>
  mime === 'audio/mpeg' ? '.mp3' : `.${mime.split('/')[1]?.split(/[;+]/)[0] ?? 'audio'}`
