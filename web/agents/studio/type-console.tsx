import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { intent, type KeeperTypeProposal } from '#contract/agents/intent.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { ApiError, type CallResult, call } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { getRunPath } from '../agent-addresses.ts'
import { getErrorText } from '../registry/assign-keeper-types-dialog.tsx'

/** `key`: idempotency key for creating the type. */
type ExtractedType = CallResult<typeof intent.extractType> & { key: string }

export function TypeConsole({ personId }: { personId: string }) {
  const queryClient = useQueryClient()
  const {
    value: description,
    set: setDescription,
    clear: clearDescription,
  } = useDraft(`kept/keeper-type-${personId}`, '')
  const [extracted, setExtracted] = useState<ExtractedType>()
  const [busy, setBusy] = useState<'reading' | 'creating'>()
  const [problem, setProblem] = useState<{ text: string; runId?: string | undefined }>()
  const [createdName, setCreatedName] = useState<string>()
  const controllerRef = useRef<AbortController>(undefined)

  async function propose(event: FormEvent) {
    event.preventDefault()
    if (busy || description.trim() === '') return
    const controller = new AbortController()
    controllerRef.current = controller
    setBusy('reading')
    setProblem(undefined)
    setExtracted(undefined)
    setCreatedName(undefined)
    try {
      const body = { description: description.trim() }
      const answer = await call(intent.extractType, { body, signal: controller.signal })
      setExtracted({ ...answer, key: createClientId() })
    } catch (reason) {
      if (controller.signal.aborted) return
      const runId = reason instanceof ApiError ? (reason.data as { run_id?: string } | undefined)?.run_id : undefined
      setProblem({ text: getErrorText(reason, 'TypeAgent extraction failed. The server couldn’t be reached.'), runId })
    } finally {
      setBusy(undefined)
    }
  }

  async function create({ name, purpose, memoryPattern }: KeeperTypeProposal, idempotencyKey: string) {
    if (busy) return
    setBusy('creating')
    setProblem(undefined)
    try {
      await call(keeperTypes.create, { body: { name, description: purpose, memoryPattern }, idempotencyKey })
      await queryClient.invalidateQueries({ queryKey: keeperTypesQuery.queryKey })
      setCreatedName(name)
      setExtracted(undefined)
      void clearDescription()
    } catch (reason) {
      setProblem({ text: getErrorText(reason, 'Failed to create keeper type. The server couldn’t be reached.') })
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <section aria-label="Keeper type from a description">
      <h2 className="mb-3">A new keeper type</h2>
      <Card>
        <form onSubmit={propose} className="flex flex-col gap-3">
          <ReadOnlyWhile while={busy === 'creating'}>
            <TextArea
              label="Describe what you want to keep"
              rows={2}
              value={description}
              maxLength={4000}
              placeholder="Every walk along the harbour, with the weather and who joined"
              onChange={({ currentTarget: { value } }) =>
                value === '' ? void clearDescription() : setDescription(value)
              }
            />
          </ReadOnlyWhile>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" busy={busy === 'reading'} disabled={description.trim() === ''}>
              Propose a type
            </Button>
            {busy === 'reading' && (
              <Button variant="plain" onClick={() => controllerRef.current?.abort()}>
                Never mind
              </Button>
            )}
          </div>
        </form>
        {createdName && (
          <Banner tone="success" className="mt-3" onDismiss={() => setCreatedName(undefined)}>
            Created {createdName}. It can be assigned to agents.
          </Banner>
        )}
        {problem && (
          <div role="alert" className="mt-3 text-ui font-medium text-destructive wrap-break-word">
            {problem.text}{' '}
            {problem.runId && (
              <Link to={getRunPath(problem.runId)} className="rounded-xs text-foreground underline">
                View run
              </Link>
            )}
          </div>
        )}
        {extracted && (
          <div className="mt-4 border-t border-border pt-3.5">
            <div className="flex flex-wrap items-center gap-2">
              <h3 className="font-serif text-h3 wrap-break-word">{extracted.type.name}</h3>
              <Badge tone="ribbon">{extracted.type.memoryPattern}</Badge>
              {extracted.mock_mode && <Badge tone="warning">mock_mode</Badge>}
            </div>
            <p className="mt-1.5 text-ui wrap-break-word">{extracted.type.purpose}</p>
            {extracted.type.reason && (
              <p className="mt-1 text-small text-muted-foreground wrap-break-word">{extracted.type.reason}</p>
            )}
            <div className="mt-3 flex flex-wrap items-center gap-3">
              <Button
                variant="primary"
                busy={busy === 'creating'}
                busyLabel="Creating..."
                onClick={() => create(extracted.type, extracted.key)}
              >
                Create keeper type
              </Button>
              <Link to={getRunPath(extracted.run_id)} className="rounded-xs text-small underline">
                View run
              </Link>
            </div>
          </div>
        )}
      </Card>
    </section>
  )
}
