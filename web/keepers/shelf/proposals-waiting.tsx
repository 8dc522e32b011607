import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Proposal, type ProposalKind, proposals } from '#contract/connections/proposals.ts'
import type { MemoryCheck, MemoryConsentInput } from '#contract/keepers/memory-checks.ts'
import { ApiError, call, getServerMessage } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { keeperKey, keepersKey } from '../keeper-queries.ts'
import { formatDay } from '../moments/format-day.ts'

const MemoryCheckDialog = lazyComponent(
  async () => (await import('../memory-checks/memory-check-dialog.tsx')).MemoryCheckDialog,
)

const initialVisibleProposals = 3
const proposalsPerStep = 20
const kindLabels: Record<ProposalKind, string> = { memory: 'Memory', moment: 'Moment', reflection: 'Reflection' }

/** Under the keepers' key, so that proposals are refetched with them. */
const proposalsKey = [...keepersKey, 'proposals'] as const

/** Lists suggestions of programs. They become memory only when the person approves them here. */
export function ProposalsWaiting() {
  const [limit, setLimit] = useState(initialVisibleProposals)
  const { data } = useQuery({ queryKey: proposalsKey, queryFn: ({ signal }) => call(proposals.list, { signal }) })
  if (!data || data.total === 0) return null
  const hiddenCount = Math.max(0, data.items.length - limit)
  return (
    <section aria-labelledby="proposals" className="mb-6">
      <h2 id="proposals" className="mb-2">
        {pluralize(data.total, 'proposal')} from your programs and agents
      </h2>
      <ul aria-labelledby="proposals" className="border-t border-border">
        {data.items.slice(0, limit).map((proposal) => (
          <ProposalRow key={proposal.id} proposal={proposal} />
        ))}
      </ul>
      {hiddenCount > 0 && (
        <Button
          size="small"
          variant="plain"
          className="mt-2 -ms-2.5"
          onClick={() => setLimit(limit + proposalsPerStep)}
        >
          Show {Math.min(hiddenCount, proposalsPerStep)} more
        </Button>
      )}
    </section>
  )
}

interface ProposalChanges {
  content?: string
  goldenCheck?: MemoryConsentInput
}

function ProposalRow({ proposal }: { proposal: Proposal }) {
  const { id, kind, keeperId, keeperTitle, senders, topic, occurredOn } = proposal
  const [content, setContent] = useState<string>()
  const [reason, setReason] = useState<string>()
  const [check, setCheck] = useState<MemoryCheck>()
  const queryClient = useQueryClient()
  const refetch = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keepersKey }),
      queryClient.invalidateQueries({ queryKey: keeperKey(keeperId) }),
    ])
  const approve = useMutation({
    mutationFn: (body: ProposalChanges) => call(proposals.approve, { params: { id }, body }),
    onSuccess: refetch,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'answers-changed') setCheck(error.data as MemoryCheck)
      else if (error instanceof ApiError && error.code === 'conflict') void refetch()
    },
  })
  const reject = useMutation({
    mutationFn: () => call(proposals.reject, { params: { id }, body: reason ? { reason } : {} }),
    onSuccess: refetch,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'conflict') void refetch()
    },
  })
  const changes = content === undefined ? {} : { content }
  const isBusy = approve.isPending || reject.isPending
  return (
    <li data-item className="border-b border-hairline py-3">
      <p className="text-small text-muted-foreground">
        {kindLabels[kind]} for <bdi>{keeperTitle}</bdi>
        {topic && (
          <>
            {' '}
            about <bdi>{topic}</bdi>
          </>
        )}
        {occurredOn && `, ${formatDay(occurredOn)}`}, from <SenderNames senders={senders} />
      </p>
      {content === undefined ? (
        <p dir="auto" className="mt-1 font-serif text-read wrap-anywhere whitespace-pre-wrap">
          {proposal.content}
        </p>
      ) : (
        <TextArea label="Your text" serif value={content} onChange={(event) => setContent(event.target.value)} />
      )}
      <ul aria-label="What the senders say" className="mt-1 text-ui text-muted-foreground">
        {senders.map(({ name, content: senderText, quote, at }) => (
          <li key={`${name} ${at}`} className="empty:hidden">
            {senderText !== proposal.content && (
              <span dir="auto" className="block wrap-anywhere">
                <bdi>{name}</bdi>: {senderText}
              </span>
            )}
            {quote && (
              <q dir="auto" className="block wrap-anywhere">
                {quote}
              </q>
            )}
          </li>
        ))}
      </ul>
      {reason !== undefined && (
        <TextField
          label="Reason"
          maxLength={300}
          help="Optional. Keeper shows it to a program that proposes the same again."
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {reason === undefined ? (
          <>
            <Button
              size="small"
              variant="keep"
              busy={approve.isPending}
              busyLabel="Approving..."
              disabled={isBusy || content?.trim() === ''}
              onClick={() => approve.mutate(changes)}
            >
              Approve
            </Button>
            {content === undefined && (
              <Button size="small" disabled={isBusy} onClick={() => setContent(proposal.content)}>
                Edit
              </Button>
            )}
            <Button size="small" variant="plain" disabled={isBusy} onClick={() => setReason('')}>
              Reject
            </Button>
          </>
        ) : (
          <>
            <Button size="small" busy={reject.isPending} busyLabel="Rejecting..." onClick={() => reject.mutate()}>
              Reject proposal
            </Button>
            <Button size="small" variant="plain" disabled={isBusy} onClick={() => setReason(undefined)}>
              Cancel
            </Button>
          </>
        )}
      </div>
      <ErrorText className="mt-2">
        {!check &&
          (approve.error || reject.error) &&
          (getServerMessage(approve.error ?? reject.error) ?? 'The server couldn’t be reached. Try again.')}
      </ErrorText>
      {check && (
        <MemoryCheckDialog
          check={check}
          onDecide={(goldenCheck) => {
            setCheck(undefined)
            if (goldenCheck) approve.mutate({ ...changes, goldenCheck })
          }}
        />
      )}
    </li>
  )
}

function SenderNames({ senders }: Pick<Proposal, 'senders'>) {
  return senders.map(({ name, at }, index) => (
    <span key={`${name} ${at}`}>
      {index > 0 && ', '}
      <bdi>{name}</bdi>
    </span>
  ))
}
