import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AppLockSettings, appLock } from '#contract/accounts/app-lock.ts'
import { call } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { readStoredSession } from '../stored-session.ts'
import { useSubmit } from '../use-submit.ts'
import { readLockRecord, writeLockRecord } from './lock-record.ts'
import { createPinVerifier } from './pin-verifier.ts'

const lockKey = ['own-account', 'lock']
const minuteChoices = [1, 5, 15, 30, 60]

export function AppLockSection() {
  const query = useQuery({ queryKey: lockKey, queryFn: ({ signal }) => call(appLock.settings, { signal }) })
  return (
    <Section title="App lock" help="Locks Keeper after a while without input." className="border-t! pt-[30px]!">
      <QueryState
        query={query}
        skeleton={<SkeletonRows rowClassName="h-16" />}
        title="Your app lock couldn’t be loaded"
      />
      {query.data && <AppLockForm settings={query.data} />}
    </Section>
  )
}

function AppLockForm({ settings }: { settings: AppLockSettings }) {
  const queryClient = useQueryClient()
  const [isSaved, setSaved] = useState(false)
  const [saveCount, setSaveCount] = useState(0)
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ pin }) => ({
      pin: pin && !/^\d{6,32}$/.test(pin) ? 'Use 6 to 32 digits.' : undefined,
    }),
    async send({ minutes = '', pin, removePin }) {
      setSaved(false)
      const chosenMinutes = minutes === '' ? null : Number(minutes)
      const removedPin = removePin ? null : undefined
      const saved = await call(appLock.save, { body: { minutes: chosenMinutes, pin: pin || removedPin } })
      await updateRecord(saved, pin || undefined)
      queryClient.setQueryData(lockKey, saved)
      setSaveCount((count) => count + 1)
      setSaved(true)
      await queryClient.invalidateQueries({ queryKey: ['session'] })
    },
  })
  return (
    <form {...form} key={saveCount} className="flex flex-col gap-4">
      {isSaved && (
        <Banner tone="success" onDismiss={() => setSaved(false)}>
          {settings.minutes === null ? 'App lock is off.' : 'App lock saved.'}
        </Banner>
      )}
      {failure && <Banner tone="error">{failure}</Banner>}
      <SelectField
        label="Lock this and your other tabs"
        name="minutes"
        defaultValue={settings.minutes === null ? '' : String(settings.minutes)}
        options={[
          { value: '', label: 'Never' },
          ...[...new Set([...minuteChoices, ...(settings.minutes ? [settings.minutes] : [])])].map((minutes) => ({
            value: String(minutes),
            label: `After ${pluralize(minutes, 'minute')} without input`,
          })),
        ]}
        error={errors.minutes}
      />
      <PasswordField
        label={settings.hasPin ? 'New PIN' : 'PIN'}
        aside="Optional"
        name="pin"
        inputMode="numeric"
        autoComplete="off"
        secretLabel="PIN"
        help={
          settings.hasPassword || settings.hasPasskey
            ? 'Six digits or more. Without one, you unlock with your password or a passkey, which needs the server.'
            : 'Six digits or more. Your account has no password, so you need one.'
        }
        error={errors.pin}
      />
      {settings.hasPin && settings.hasPassword && <Checkbox name="removePin" label="Remove the PIN" />}
      <p className="text-small text-muted-foreground">
        The lock hides Keeper from someone at your open browser. It doesn’t protect this device from someone who can
        read its storage: lock the device, too.
      </p>
      <div>
        <Button type="submit" busy={busy} busyLabel="Saving...">
          Save app lock
        </Button>
      </div>
    </form>
  )
}

/** Applies the settings to this browser right away, with the PIN for offline use. */
async function updateRecord(
  { minutes, hasPin, hasPassword, hasPasskey }: AppLockSettings,
  pin: string | undefined,
): Promise<void> {
  const record = readLockRecord()
  const person = readStoredSession()?.user.id
  if (minutes === null || person === undefined) return writeLockRecord(null)
  const storedVerifier = hasPin ? record?.verifier : undefined
  const verifier = pin ? await createPinVerifier(pin) : storedVerifier
  const base = { activeAt: Date.now(), isLocked: false, wrongTries: 0, ...record }
  writeLockRecord({ ...base, person, minutes, hasPin, hasPassword, hasPasskey, verifier })
}
