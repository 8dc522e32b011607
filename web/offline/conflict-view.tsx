import { useState } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import type { ConflictDialogProps, ConflictField } from './conflict-dialog.tsx'
import { combineTexts } from './differences.ts'
import { DifferingText } from './differing-text.tsx'
import { useDraft } from './use-draft.ts'

type Choice = 'yours' | 'current' | 'merged'
interface Decision {
  choice: Choice
  merged: string
  yours: string
  current: string
}

const countUnchangedTexts = (decision: Decision, field: ConflictField): number =>
  Number(decision.yours === field.yours) + Number(decision.current === field.current)

export function ConflictView({ open, subject, fields, conflictKey, onResolve, onOpenChange }: ConflictDialogProps) {
  const differingFields = fields.filter(({ yours, current }) => yours !== current)
  // Fixed on opening, so that another save doesn't discard the merged text.
  const [key] = useState(() => `conflict/${conflictKey ?? JSON.stringify(fields)}`)
  const draft = useDraft<Record<string, Decision>>(key, {})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  /** A stored decision applies while its texts are unchanged; a merged text survives one newer version. */
  function getDecision(field: ConflictField): Decision {
    const { yours, current } = field
    const storedDecision = draft.value[field.name]
    if (storedDecision && countUnchangedTexts(storedDecision, field) >= (storedDecision.choice === 'merged' ? 1 : 2))
      return storedDecision
    return { choice: 'yours', merged: combineTexts(current, yours), yours, current }
  }

  function decide(field: ConflictField, changes: Partial<Pick<Decision, 'choice' | 'merged'>>) {
    const { yours, current } = field
    draft.set({ ...draft.value, [field.name]: { ...getDecision(field), ...changes, yours, current } })
  }

  async function save() {
    setBusy(true)
    setFailure(undefined)
    try {
      await onResolve(
        Object.fromEntries(
          fields.map((field) => {
            const { choice, merged } = getDecision(field)
            return [field.name, choice === 'merged' ? merged : field[choice]]
          }),
        ),
      )
      draft.clear()
      onOpenChange(false)
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      size="wide"
      title={<>{subject} was changed elsewhere</>}
      description="Someone else, or you on another device, saved a newer version while you were writing. Choose what to keep. Both versions are safe until you save."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)} disabled={busy}>
            Decide later
          </Button>
          <Button variant="primary" busy={busy} busyLabel="Saving..." onClick={save}>
            Save merged
          </Button>
        </>
      }
    >
      {failure && (
        <Banner tone="error" className="mb-4">
          {failure}
        </Banner>
      )}
      {differingFields.length === 0 && <p className="text-ui">Both versions are the same.</p>}
      <div className="flex flex-col gap-6">
        {differingFields.map((field) => {
          const decision = getDecision(field)
          const { choice, merged } = decision
          return (
            <section key={field.name} aria-label={field.label}>
              <header className="mb-2 flex flex-wrap items-center justify-between gap-2">
                <h3 className="text-ui font-label">{field.label}</h3>
                <SegmentedControl<Choice>
                  label={`${field.label} to keep`}
                  value={choice}
                  onValueChange={(next) => decide(field, { choice: next })}
                  options={[
                    { value: 'yours', label: 'Yours' },
                    { value: 'current', label: 'Other version' },
                    ...(field.choiceOnly ? [] : [{ value: 'merged' as const, label: 'Merge both' }]),
                  ]}
                />
              </header>
              <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
                <Version title="Yours" chosen={choice === 'yours'}>
                  <DifferingText text={field.yours} other={field.current} kind="added" />
                </Version>
                <Version title="The other version, as currently saved" chosen={choice === 'current'}>
                  <DifferingText text={field.current} other={field.yours} kind="removed" />
                </Version>
              </div>
              {choice === 'merged' && (
                <TextArea
                  id={`merged-${field.name}`}
                  className="mt-3"
                  label={`${field.label}, merged`}
                  help={
                    countUnchangedTexts(decision, field) === 2
                      ? 'Starts with the full text of both versions.'
                      : 'One of the versions was saved again after you wrote this text.'
                  }
                  serif
                  rows={6}
                  value={merged}
                  onChange={(event) => decide(field, { merged: event.target.value })}
                />
              )}
            </section>
          )
        })}
      </div>
    </Dialog>
  )
}

function Version({ title, chosen, children }: { title: string; chosen: boolean; children: React.ReactNode }) {
  return (
    <div
      className={`min-w-0 rounded-lg border bg-card p-3.5 ${chosen ? 'border-primary inset-ring inset-ring-primary' : 'border-border'}`}
    >
      <p className="mb-1.5 text-small font-label text-muted-foreground">
        {title}
        {chosen && ' · kept'}
      </p>
      <div className="max-h-72 overflow-y-auto">{children}</div>
    </div>
  )
}
