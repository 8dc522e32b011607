import { Fingerprint, LockKeyhole } from 'lucide-react'
import { useState } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import { appLock, maxUnlockAttempts } from '#contract/accounts/app-lock.ts'
import { proofs } from '#contract/accounts/second-factor.ts'
import { ApiError, call, NetworkError } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { toAccountFailureText } from '../check-account.ts'
import { clearStoredSession } from '../stored-session.ts'
import { useSubmit } from '../use-submit.ts'
import { readLockRecord, writeLockRecord } from './lock-record.ts'
import { createPinVerifier, matchesPin } from './pin-verifier.ts'

type UnlockMethod = 'pin' | 'password'

/** Covers the page until the person proves who they are. */
export function LockScreen({ onUnlocked }: { onUnlocked: () => void }) {
  const [record] = useState(readLockRecord)
  const [method, setMethod] = useState<UnlockMethod>(record?.hasPin ? 'pin' : 'password')
  const [failure, setFailure] = useState<string>()
  const [attempts, setAttempts] = useState(0)
  const submit = useSubmit({
    validate: ({ pin, password }) =>
      method === 'pin'
        ? { pin: pin ? undefined : 'Enter your PIN.' }
        : { password: password ? undefined : 'Enter your password.' },
    async send({ pin, password }) {
      setFailure(undefined)
      try {
        await call(appLock.unlock, { body: method === 'pin' ? { pin } : { password }, opensSession: true })
        if (pin) void rememberPin(pin)
      } catch (reason) {
        // The next try starts with an empty field.
        setAttempts((count) => count + 1)
        if (reason instanceof ApiError && reason.status === 401) return leaveToLogin()
        if (!(reason instanceof NetworkError)) throw reason
        const offlineFailure = await unlockOffline(pin)
        if (offlineFailure) return setFailure(offlineFailure)
      }
      onUnlocked()
    },
  })
  const [isWaiting, setWaiting] = useState(false)
  async function unlockWithPasskey() {
    setWaiting(true)
    setFailure(undefined)
    const { getPasskey, toPasskeyFailure } = await import('../passkey-browser.ts')
    try {
      const passkey = await getPasskey(await call(proofs.passkeyOptions, { opensSession: true }))
      await call(appLock.unlock, { body: { passkey }, opensSession: true })
      onUnlocked()
    } catch (reason) {
      if (reason instanceof ApiError && reason.status === 401) return leaveToLogin()
      const isAnswer = reason instanceof ApiError || reason instanceof NetworkError
      setFailure(isAnswer ? toAccountFailureText(reason) : toPasskeyFailure(reason))
    } finally {
      setWaiting(false)
    }
  }
  const hasForm = method === 'pin' || record?.hasPassword !== false
  const visibleFailure = failure ?? submit.failure
  return (
    <main className="fixed inset-0 z-50 flex items-center justify-center overflow-auto bg-background px-5 py-9 pointer-events-auto">
      <div className="w-full max-w-[22rem]">
        <LockKeyhole aria-hidden size={28} className="mb-4 text-muted-foreground" />
        <h1>Keeper is locked</h1>
        <p className="mt-2 mb-5 text-muted-foreground">What you wrote is still here.</p>
        {visibleFailure && <Banner tone="error">{visibleFailure}</Banner>}
        {hasForm && (
          <form {...submit.form} key={attempts} className="mt-4 flex flex-col gap-4">
            {method === 'pin' ? (
              <PasswordField
                key="pin"
                label="PIN"
                name="pin"
                inputMode="numeric"
                autoComplete="off"
                autoFocus
                secretLabel="PIN"
                error={submit.errors.pin}
              />
            ) : (
              <PasswordField
                key="password"
                label="Password"
                name="password"
                autoComplete="current-password"
                autoFocus
                error={submit.errors.password}
              />
            )}
            <Button type="submit" variant="primary" size="large" busy={submit.busy} busyLabel="Unlocking...">
              Unlock
            </Button>
          </form>
        )}
        {record?.hasPasskey && 'PublicKeyCredential' in globalThis && (
          <Button
            size="large"
            className="mt-3 w-full"
            icon={<Fingerprint aria-hidden size={16} />}
            busy={isWaiting}
            busyLabel="Waiting..."
            onClick={unlockWithPasskey}
          >
            Use a passkey
          </Button>
        )}
        <div className="mt-4 flex flex-wrap justify-between gap-2">
          {record?.hasPin && record.hasPassword ? (
            <Button variant="plain" onClick={() => setMethod(method === 'pin' ? 'password' : 'pin')}>
              {method === 'pin' ? 'Use your password' : 'Use your PIN'}
            </Button>
          ) : (
            <span />
          )}
          <Button
            variant="plain"
            onClick={() => {
              void call(accounts.logout, { opensSession: true }).catch(() => undefined)
              leaveToLogin()
            }}
          >
            Sign out
          </Button>
        </div>
      </div>
    </main>
  )
}

/** Drafts stay in this browser, encrypted, until the same person signs in again. */
function leaveToLogin(): void {
  writeLockRecord(null)
  clearStoredSession()
  location.replace('/login')
}

async function rememberPin(pin: string): Promise<void> {
  const verifier = await createPinVerifier(pin)
  const record = readLockRecord()
  if (record) writeLockRecord({ ...record, verifier })
}

/** The lock only hides the page: anyone who can read this browser's storage needs no PIN. @returns why the page stays locked */
async function unlockOffline(pin: string | undefined): Promise<string | undefined> {
  const record = readLockRecord()
  if (!pin)
    return record?.hasPin
      ? 'You’re offline, and only the server can check your password. Use your PIN, or wait for the connection.'
      : 'You’re offline, and only the server can check your password. Wait for the connection.'
  if (!record?.verifier)
    return 'You’re offline, and this browser can’t check your PIN before you have used it here once. Wait for the connection.'
  if (await matchesPin(pin, record.verifier)) return undefined
  const wrongTries = record.wrongTries + 1
  writeLockRecord({ ...record, wrongTries })
  if (wrongTries >= maxUnlockAttempts) leaveToLogin()
  return `That isn’t right. ${maxUnlockAttempts - wrongTries} of ${maxUnlockAttempts} tries are left, then you’re signed out here.`
}
