import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { getSlugProblem, toSlug } from '#contract/agents/agent-slug.ts'
import type { Agent } from '#contract/agents/agents.ts'
import { agentFileToImport, versions } from '#contract/agents/versions.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { ApiError, call } from '#web/api/api.ts'
import { useIdempotencyKey } from '#web/offline/create-client-id.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { FileChooser } from '#web/ui/fields/file-chooser.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { DetailList } from '#web/ui/panels/detail-list.tsx'
import { AgentSeal } from '../agent-seal.tsx'

type FileToImport = z.output<typeof agentFileToImport>
/** `originalContent` is the unmodified content, so that the server validates the author’s own text. */
type AgentFileResult = { file: FileToImport; originalContent: z.input<typeof agentFileToImport> } | { problem: string }

const maxBytes = 1_000_000

export async function readAgentFile(file: Blob): Promise<AgentFileResult> {
  if (file.size > maxBytes) return { problem: 'This file is too large for an agent. Choose another one.' }
  if (file.size === 0) return { problem: 'This file is empty. Choose an exported agent file.' }
  let content: unknown
  try {
    content = JSON.parse(await file.text())
  } catch {
    return { problem: 'This isn’t an agent file: it can’t be read as JSON. Choose an exported agent file.' }
  }
  const parsed = agentFileToImport.safeParse(content)
  if (parsed.success) return { file: parsed.data, originalContent: content as z.input<typeof agentFileToImport> }
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.') ?? ''
  if (path === '' || path === 'keeper') return { problem: 'This isn’t an agent exported from Keeper.' }
  return { problem: `The file can’t be imported. ${path}: ${issue?.message}` }
}

export interface ImportDialogProps {
  onClose: () => void
  onImported: (agent: Agent) => void
}

export default function ImportDialog({ onClose, onImported }: ImportDialogProps) {
  const [fileResult, setFileResult] = useState<AgentFileResult>()
  const [slug, setSlug] = useState('')
  const [slugError, setSlugError] = useState<string>()
  const [suggestedSlug, setSuggestedSlug] = useState<string>()
  const [unknownNames, setUnknownNames] = useState<string[]>([])
  const [skipsUnknown, setSkipsUnknown] = useState(false)
  const [problem, setProblem] = useState<string>()
  const getKey = useIdempotencyKey()
  const validFile = fileResult && 'file' in fileResult ? fileResult : undefined

  async function chooseFile(file: File) {
    const next = await readAgentFile(file)
    setFileResult(next)
    setProblem('problem' in next ? next.problem : undefined)
    setUnknownNames([])
    setSkipsUnknown(false)
    setSlugError(undefined)
    setSuggestedSlug(undefined)
    if ('file' in next) setSlug(next.file.agent.slug || toSlug(next.file.agent.name))
  }

  function changeSlug(next: string) {
    setSlug(next)
    setSlugError(getSlugProblem(next.trim()))
    setSuggestedSlug(undefined)
  }

  const importing = useMutation({
    mutationFn(originalContent: z.input<typeof agentFileToImport>) {
      const body = { file: originalContent, slug: slug.trim(), leave_out: skipsUnknown ? unknownNames : [] }
      return call(versions.importFile, { body, idempotencyKey: getKey(body) })
    },
    onMutate: () => setProblem(undefined),
    onSuccess: (agent) => onImported(agent),
    onError: showProblem,
  })

  function showProblem(reason: unknown) {
    const fields = reason instanceof ApiError ? (reason.fields ?? {}) : {}
    const data = (reason instanceof ApiError ? reason.data : undefined) as
      | { suggestedSlug?: string; unknown?: string[] }
      | undefined
    if (fields.slug) {
      setSlugError(data?.suggestedSlug ? 'This slug is taken. Choose another one.' : fields.slug)
      return setSuggestedSlug(data?.suggestedSlug)
    }
    if (data?.unknown) {
      setUnknownNames((previous) => [...new Set([...previous, ...(data.unknown ?? [])])])
      setSkipsUnknown(false)
    }
    setProblem((reason instanceof Error && reason.message) || 'The agent couldn’t be imported. Try again.')
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !importing.isPending && onClose()}
      title="Import an agent"
      description="From a file that this Keeper or another one exported. Existing agents aren’t changed."
      footer={
        <>
          <Button onClick={onClose} disabled={importing.isPending}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={importing.isPending}
            busyLabel="Importing..."
            disabled={
              !validFile || slug.trim() === '' || slugError !== undefined || (unknownNames.length > 0 && !skipsUnknown)
            }
            onClick={() => validFile && importing.mutate(validFile.originalContent)}
          >
            Import Agent
          </Button>
        </>
      }
    >
      <FileChooser
        label="Agent file"
        accept=".json,application/json"
        hasFile={fileResult !== undefined}
        busy={importing.isPending}
        onFile={chooseFile}
      />
      <div className="mt-4 flex flex-col gap-4 empty:hidden">
        {problem && <Banner tone="error">{problem}</Banner>}
        {validFile && unknownNames.length > 0 && (
          <Checkbox
            label={`Import without ${unknownNames.join(', ')}`}
            help="The agent is created without these. The file isn’t changed."
            checked={skipsUnknown}
            onCheckedChange={setSkipsUnknown}
          />
        )}
        {validFile && (
          <>
            <ImportPreview file={validFile.file} />
            <TextField
              label="Slug"
              required
              mono
              maxLength={63}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={slug}
              onChange={(event) => changeSlug(event.currentTarget.value)}
              error={slugError}
              fix={
                suggestedSlug ? { label: `Use ${suggestedSlug}`, onFix: () => changeSlug(suggestedSlug) } : undefined
              }
            />
          </>
        )}
      </div>
    </Dialog>
  )
}

function ImportPreview({ file }: { file: FileToImport }) {
  const { agent, golden_questions } = file
  const agentClass = agent.agent_class ?? 'Standard'
  const provider = agent.model_provider ?? 'openai'
  const details: [string, string][] = [
    ['Scope', (agent.context_scope ?? 'user_input') || 'General'],
    ['Memory', agent.memory_enabled ? 'on' : 'off'],
    ['Model', `${provider} ${agent.model_settings?.model ?? agent.model ?? getProviderInfo(provider).settings.model}`],
    ['Tools', agent.tools?.join(', ') || 'none'],
    ...(agentClass === 'Coordinator'
      ? [['Bundle', agent.config?.bundle?.join(', ') || 'none'] satisfies [string, string]]
      : []),
    ['Visibility', agent.visibility ?? 'private'],
    ['Golden questions', String(golden_questions.length)],
  ]
  return (
    <section aria-label="Agent to import" className="rounded-lg border border-border bg-card p-4">
      <div className="flex items-start gap-3">
        <AgentSeal
          agent={{ name: agent.name, agent_class: agentClass, ...(agent.config && { config: agent.config }) }}
          size={42}
          className="shrink-0"
        />
        <div className="min-w-0">
          <h3 dir="auto" className="wrap-break-word">
            {agent.name}
          </h3>
          <Badge className="mt-[3px]">{agentClass}</Badge>
        </div>
      </div>
      <p dir="auto" className="mt-3 line-clamp-4 text-ui wrap-break-word">
        {agent.purpose}
      </p>
      <DetailList className="mt-3 gap-x-4 gap-y-1" details={details} />
      {agent.visibility === 'public' && (
        <Banner tone="warning" className="mt-3">
          The agent will be public: everyone can see and run it.
          {agent.visitors_spend_owner_key && ' Visitors will use your own provider key.'}
        </Banner>
      )}
    </section>
  )
}
