import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { intent } from '#contract/agents/intent.ts'
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
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { getRunPath } from '../agent-addresses.ts'
import { getErrorText } from '../registry/assign-keeper-types-dialog.tsx'
import { MockBadge } from '../runs/run-status-badge.tsx'

/** `key`: idempotency key for creating the type. */
type ExtractedType = CallResult<typeof intent.extractType> & { key: string }

export function KeeperTypeConsole({ personId }: { personId: string }) {
  const queryClient = useQueryClient()
  const {
    value: description,
    set: setDescription,
    clear: clearDescription,
  } = useDraft(`kept/keeper-type-${personId}`, '')
  const [createdName, setCreatedName] = useState<string>()
  const controllerRef = useRef<AbortController>(undefined)

  const extract = useMutation({
    async mutationFn(text: string): Promise<ExtractedType | undefined> {
      const controller = new AbortController()
      controllerRef.current = controller
      create.reset()
      setCreatedName(undefined)
      try {
        const answer = await call(intent.extractType, { body: { description: text }, signal: controller.signal })
        return { ...answer, key: createClientId() }
      } catch (reason) {
        if (controller.signal.aborted) return undefined
        throw reason
      }
    },
  })
  const create = useMutation({
    mutationFn: ({ type: { name, purpose, memoryPattern }, key: idempotencyKey }: ExtractedType) =>
      call(keeperTypes.create, { body: { name, description: purpose, memoryPattern }, idempotencyKey }),
    async onSuccess(_, { type }) {
      await queryClient.invalidateQueries({ queryKey: keeperTypesQuery.queryKey })
      setCreatedName(type.name)
      extract.reset()
      void clearDescription()
    },
  })
  const { data: extracted } = extract
  const trimmedDescription = description.trim()

  function changeDescription(text: string) {
    if (text === '') void clearDescription()
    else setDescription(text)
  }

  function propose(event: FormEvent) {
    event.preventDefault()
    if (!extract.isPending && !create.isPending && trimmedDescription !== '') extract.mutate(trimmedDescription)
  }

  return (
    <section aria-label="Keeper type from a description">
      <h2 className="mb-3">A new keeper type</h2>
      <Card>
        <form onSubmit={propose} className="flex flex-col gap-3">
          <ReadOnlyWhile while={create.isPending}>
            <TextArea
              label="Describe what you want to keep"
              rows={2}
              value={description}
              maxLength={4000}
              placeholder="Every walk along the harbour, with the weather and who joined"
              onChange={(event) => changeDescription(event.currentTarget.value)}
            />
          </ReadOnlyWhile>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" busy={extract.isPending} disabled={trimmedDescription === ''}>
              Propose a type
            </Button>
            {extract.isPending && (
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
        {extract.error && (
          <ErrorText className="mt-3">
            {getErrorText(extract.error, 'TypeAgent extraction failed. The server couldn’t be reached.')}{' '}
            <RunLink runId={getFailedRunId(extract.error)} className="text-foreground" />
          </ErrorText>
        )}
        {create.error && (
          <ErrorText className="mt-3">
            {getErrorText(create.error, 'Failed to create keeper type. The server couldn’t be reached.')}
          </ErrorText>
        )}
        {extracted && (
          <div className="mt-4 border-t border-border pt-3.5">
            <div className="flex flex-wrap items-center gap-2">
              <h3 dir="auto" className="font-serif text-h3 wrap-break-word">
                {extracted.type.name}
              </h3>
              <Badge tone="ribbon">{extracted.type.memoryPattern}</Badge>
              {extracted.mock_mode && <MockBadge />}
            </div>
            <p dir="auto" className="mt-1.5 text-ui wrap-break-word">
              {extracted.type.purpose}
            </p>
            {extracted.type.reason && (
              <p className="mt-1 text-small text-muted-foreground wrap-break-word">{extracted.type.reason}</p>
            )}
            <div className="mt-3 flex flex-wrap items-center gap-3">
              <Button
                variant="primary"
                busy={create.isPending}
                busyLabel="Creating..."
                onClick={() => !create.isPending && create.mutate(extracted)}
              >
                Create keeper type
              </Button>
              <RunLink runId={extracted.run_id} className="text-small" />
            </div>
          </div>
        )}
      </Card>
    </section>
  )
}

function RunLink({ runId, className }: { runId: string | undefined; className: string }) {
  if (!runId) return null
  return (
    <Link to={getRunPath(runId)} className={`rounded-xs underline ${className}`}>
      View run
    </Link>
  )
}

const getFailedRunId = (reason: Error) =>
  reason instanceof ApiError ? (reason.data as { run_id?: string } | undefined)?.run_id : undefined
