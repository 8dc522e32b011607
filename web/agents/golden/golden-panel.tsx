import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Columns3, Pencil, Play, Plus, Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { type GoldenQuestion, goldenQuestions, maxGoldenQuestions } from '#contract/agents/golden-questions.ts'
import { call } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { getReasonText } from '../runs/reason-text.ts'
import { goldenQuestionsQuery, useGoldenRun, useStartGoldenRun } from './golden-queries.ts'
import { GoldenQuestionForm } from './golden-question-form.tsx'
import { Expectation, GoldenRunView } from './golden-run-view.tsx'

const CompareModels = lazy(() => import('../succession/compare-models.tsx'))

export function GoldenPanel({ agent, unsaved }: { agent: Agent; unsaved: boolean }) {
  const query = useQuery(goldenQuestionsQuery(agent.id))
  const { data: questions } = query
  const startRun = useStartGoldenRun(agent.id)
  const { run, error: runError, retry } = useGoldenRun(agent.id)
  const [editingId, setEditingId] = useState<string>()
  /** Closed last; focus returns to the button that opened it. */
  const [lastClosedId, setLastClosedId] = useState<string>()
  const addButton = useRef<HTMLButtonElement>(null)
  const [questionToDelete, setQuestionToDelete] = useState<GoldenQuestion>()
  const [isComparing, setIsComparing] = useState(false)
  const running = run?.status === 'running'
  const count = questions?.length ?? 0

  function closeForm(id: string) {
    setEditingId(undefined)
    setLastClosedId(id)
    if (id === 'new') addButton.current?.focus()
  }

  return (
    <section aria-labelledby="golden-questions" className="mt-2 border-t border-border pt-[30px]">
      <div className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="golden-questions" className="flex flex-1 basis-60 items-center gap-2.5 text-h3">
          Golden questions
          {questions && <Badge aria-label={`${count} of ${maxGoldenQuestions}`}>{count}</Badge>}
        </h2>
        {count > 0 && (
          <Button
            disabled={running || agent.status !== 'ready'}
            busy={startRun.isPending}
            onClick={() => startRun.mutate({})}
            icon={<Play aria-hidden size={13} />}
          >
            Run all
          </Button>
        )}
        {count > 0 && agent.may.run && agent.model_provider !== 'elevenlabs' && (
          <Button
            disabled={unsaved || agent.status !== 'ready'}
            onClick={() => setIsComparing(true)}
            icon={<Columns3 aria-hidden size={14} />}
          >
            Compare models
          </Button>
        )}
        {questions && (
          <Button
            ref={addButton}
            disabled={count >= maxGoldenQuestions}
            onClick={() => setEditingId('new')}
            icon={<Plus aria-hidden size={14} />}
          >
            Add
          </Button>
        )}
      </div>
      <p className="mb-4 max-w-[70ch] text-small text-muted-foreground">
        Questions and what their answers must say. You can run them before saving a change
        {unsaved ? '. Run all uses the saved version. To compare models, save your changes first' : ''}.
      </p>
      {startRun.error && (
        <Banner tone="error" className="mb-4" onDismiss={startRun.reset}>
          {getReasonText(startRun.error)}
        </Banner>
      )}
      <QueryState
        query={query}
        skeleton={<SkeletonRows label="Loading golden questions" count={2} rowClassName="h-14" />}
        title={(reason) => `Error loading golden questions: ${reason.message}`}
      />
      {count === 0 && questions && editingId !== 'new' && (
        <p className="text-ui text-muted-foreground">
          No golden questions yet. Add one here, or save an answer as golden in a chat.
        </p>
      )}
      {questions && (
        <ul aria-label="Golden questions" className="flex flex-col gap-2">
          {questions.map((question) =>
            editingId === question.id ? (
              <li key={question.id}>
                <GoldenQuestionForm agentId={agent.id} saved={question} onClose={() => closeForm(question.id)} />
              </li>
            ) : (
              <QuestionRow
                key={question.id}
                question={question}
                focused={lastClosedId === question.id}
                onEdit={() => setEditingId(question.id)}
                onDelete={() => setQuestionToDelete(question)}
              />
            ),
          )}
          {editingId === 'new' && (
            <li>
              <GoldenQuestionForm agentId={agent.id} onClose={() => closeForm('new')} />
            </li>
          )}
        </ul>
      )}
      {run && (
        <Card className="mt-5">
          <h3 className="mb-2 font-sans text-ui leading-5 font-semibold tracking-normal">
            {running ? 'Running' : 'Last run'}
          </h3>
          <GoldenRunView agentId={agent.id} run={run} />
        </Card>
      )}
      {runError && !run && (
        <Banner tone="error" className="mt-4" action={<RetryButton onClick={() => void retry()} />}>
          Error loading golden runs: {runError.message}
        </Banner>
      )}
      {isComparing && (
        <Suspense fallback={null}>
          <CompareModels agent={{ ...agent, provider: agent.model_provider }} onClose={() => setIsComparing(false)} />
        </Suspense>
      )}
      {questionToDelete && (
        <DeleteQuestion agent={agent} question={questionToDelete} onClose={() => setQuestionToDelete(undefined)} />
      )}
    </section>
  )
}

interface QuestionRowProps {
  question: GoldenQuestion
  focused: boolean
  onEdit: () => void
  onDelete: () => void
}

function QuestionRow({ question, focused, onEdit, onDelete }: QuestionRowProps) {
  const editButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focused) editButton.current?.focus()
  }, [focused])
  return (
    <li className="flex items-start gap-2 rounded-md border border-border bg-card px-3.5 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="text-ui font-semibold wrap-anywhere whitespace-pre-wrap">{question.question}</p>
        <Expectation {...question} className="line-clamp-3" />
      </div>
      <IconButton ref={editButton} label={`Edit: ${question.question}`} size="small" onClick={onEdit}>
        <Pencil aria-hidden size={14} />
      </IconButton>
      <IconButton label={`Delete: ${question.question}`} size="small" onClick={onDelete}>
        <Trash2 aria-hidden size={14} />
      </IconButton>
    </li>
  )
}

function DeleteQuestion({ agent, question, onClose }: { agent: Agent; question: GoldenQuestion; onClose: () => void }) {
  const queryClient = useQueryClient()

  async function remove() {
    await call(goldenQuestions.remove, { params: { agentId: agent.id, questionId: question.id } })
    await queryClient.invalidateQueries({ queryKey: goldenQuestionsQuery(agent.id).queryKey })
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete this golden question?"
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={remove}
      formatError={getReasonText}
    >
      <span className="line-clamp-4 wrap-anywhere">“{question.question}”</span> Answers from earlier runs stay in the
      logs.
    </ConfirmDialog>
  )
}
