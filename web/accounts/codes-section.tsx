import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Printer } from 'lucide-react'
import { useMemo, useState } from 'react'
import { encode } from 'uqr'
import { secondFactor } from '#contract/accounts/second-factor.ts'
import { call } from '#web/api/api.ts'
import { saveFile } from '#web/files/save-file.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { accountSessionsKey } from './account-queries.ts'
import { toAccountFailureText } from './check-account.ts'
import { CodeField, getCodeProblem } from './code-field.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { useSubmit } from './use-submit.ts'

/** With fewer, the person is asked to create new ones. */
const minRecoveryCodes = 3
const devicesKey = ['own-account', 'remembered-devices']
const secondFactorKey = ['own-account', 'second-factor']

function CodesSection() {
  const queryClient = useQueryClient()
  const query = useQuery({ queryKey: secondFactorKey, queryFn: ({ signal }) => call(secondFactor.state, { signal }) })
  const { data: state } = query
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>()
  const [isTurningOff, setTurningOff] = useState(false)
  const [isRenewing, setRenewing] = useState(false)
  const refresh = () => {
    queryClient.invalidateQueries({ queryKey: accountSessionsKey })
    return queryClient.invalidateQueries({ queryKey: secondFactorKey })
  }
  const setUp = useMutation({ mutationFn: () => call(secondFactor.setUp) })
  const showCodes = (codes: string[]) => {
    setUp.reset()
    setRecoveryCodes(codes)
    void refresh()
  }

  return (
    <Section
      title="Codes from an app"
      help="With your password, signing in also asks for a code from your phone."
      className="border-t! pt-[30px]!"
    >
      {setUp.error && <Banner tone="error">{toAccountFailureText(setUp.error)}</Banner>}
      <QueryState query={query} skeleton={<SkeletonRows rowClassName="h-14" />} title="Your codes couldn’t be loaded" />
      {state?.enabledAt === null && (
        <>
          <p className="text-muted-foreground">
            Codes are off.{state.isRequired && ' This Keeper requires a second factor for administrators.'}
          </p>
          <div>
            <Button busy={setUp.isPending} busyLabel="Preparing..." onClick={() => setUp.mutate()}>
              Turn on codes
            </Button>
          </div>
        </>
      )}
      {state && state.enabledAt !== null && (
        <>
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone="success">On</Badge>
            <span className="text-muted-foreground">
              Since <Time value={state.enabledAt} />. {pluralize(state.recoveryCodesLeft, 'recovery code')} left.
            </span>
          </p>
          {state.recoveryCodesLeft < minRecoveryCodes && (
            <Banner tone="warning">Create new recovery codes, so that you can sign in without your phone.</Banner>
          )}
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setRenewing(true)}>New recovery codes</Button>
            {!state.isRequired && (
              <Button variant="danger" onClick={() => setTurningOff(true)}>
                Turn off codes
              </Button>
            )}
          </div>
        </>
      )}
      {state?.enabledAt && <RememberedDevices />}
      {setUp.data && <SetUpCodesDialog {...setUp.data} onClose={setUp.reset} onEnabled={showCodes} />}
      {recoveryCodes && <RecoveryCodesDialog codes={recoveryCodes} onClose={() => setRecoveryCodes(undefined)} />}
      <ConfirmDialog
        open={isRenewing}
        onOpenChange={setRenewing}
        tone="primary"
        title="Create new recovery codes?"
        confirmLabel="Create codes"
        busyLabel="Creating..."
        formatError={toAccountFailureText}
        onConfirm={async () => showCodes((await call(secondFactor.renewRecoveryCodes)).recoveryCodes)}
      >
        <p>Your earlier recovery codes stop working.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={isTurningOff}
        onOpenChange={setTurningOff}
        title="Turn off codes?"
        confirmLabel="Turn off"
        busyLabel="Turning off..."
        formatError={toAccountFailureText}
        onConfirm={async () => {
          await call(secondFactor.disable)
          await refresh()
        }}
      >
        <p>Your password alone is then enough to sign in.</p>
      </ConfirmDialog>
    </Section>
  )
}

/** Devices that need no code. Renders nothing if there are none. */
function RememberedDevices() {
  const queryClient = useQueryClient()
  const { data: devices = [] } = useQuery({
    queryKey: devicesKey,
    queryFn: ({ signal }) => call(secondFactor.devices, { signal }),
  })
  const forget = useMutation({
    mutationFn: (id: string) => call(secondFactor.forgetDevice, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: devicesKey }),
  })
  if (devices.length === 0) return null
  return (
    <div>
      <h3>Devices that need no code</h3>
      {forget.error && <Banner tone="error">{toAccountFailureText(forget.error)}</Banner>}
      <ul className="mt-2 border-y border-border">
        {devices.map(({ id, device, createdAt, expiresAt }) => (
          <li
            key={id}
            data-item
            className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline py-2.5 last:border-b-0"
          >
            <span className="min-w-0 flex-1 basis-48">
              <span className="block wrap-break-word font-medium">{device ?? 'Unknown device'}</span>
              <span className="block text-small text-muted-foreground">
                Since <Time value={createdAt} />, until <Time value={expiresAt} />
              </span>
            </span>
            <Button
              size="small"
              aria-label={`Ask for a code on ${device ?? 'the unknown device'} again`}
              busy={forget.isPending && forget.variables === id}
              busyLabel="Saving..."
              onClick={() => forget.mutate(id)}
            >
              Ask again
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The only time that the codes are shown. */
function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      printed
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Your recovery codes"
      description="Each works once in place of a code from the app. They are shown only now: keep them in a safe place."
      footer={
        <Button variant="primary" onClick={onClose}>
          I’ve saved them
        </Button>
      }
    >
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 font-mono" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div data-chrome className="mt-5 flex flex-wrap gap-2">
        <Button size="small" icon={<Download aria-hidden size={14} />} onClick={() => downloadCodes(codes)}>
          Download
        </Button>
        <Button size="small" icon={<Printer aria-hidden size={14} />} onClick={() => print()}>
          Print
        </Button>
        <CopyButton text={codes.join('\n')}>Copy</CopyButton>
      </div>
    </Dialog>
  )
}

function downloadCodes(codes: string[]): void {
  const text = `Recovery codes of your Keeper account at ${location.host}. Each works once.\n\n${codes.join('\n')}\n`
  saveFile(new Blob([text], { type: 'text/plain' }), 'keeper-recovery-codes.txt')
}

/** Loaded with the profile page only. */
export function SecuritySection() {
  return (
    <>
      <PasskeysSection />
      <CodesSection />
    </>
  )
}

interface SetUpCodesDialogProps {
  secret: string
  uri: string
  onClose: () => void
  onEnabled: (recoveryCodes: string[]) => void
}

function SetUpCodesDialog({ secret, uri, onClose, onEnabled }: SetUpCodesDialogProps) {
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ code }) => ({ code: getCodeProblem(code) }),
    send: async ({ code = '' }) =>
      onEnabled((await call(secondFactor.enable, { body: { code: code.trim() } })).recoveryCodes),
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Turn on codes"
      description="Scan this with your authenticator app, then enter the code it shows."
      form={{ ...form, className: 'flex flex-col gap-4' }}
      submitLabel="Turn on"
      busyLabel="Checking..."
      busy={busy}
    >
      {failure && <Banner tone="error">{failure}</Banner>}
      <QrCode text={uri} />
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 text-ui text-muted-foreground">
          Or enter this secret: <code className="text-foreground wrap-anywhere">{groupCharacters(secret)}</code>
        </p>
        <CopyButton text={secret}>Copy</CopyButton>
      </div>
      <CodeField error={errors.code} help="The 6 digits that the app shows now." />
    </FormDialog>
  )
}

/** `abcdefgh` as `abcd efgh`. */
const groupCharacters = (secret: string) => (secret.match(/.{1,4}/g) ?? []).join(' ')

/** Drawn here: the secret must not leave the page. Dark on white in every theme, as cameras expect. */
function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: 3 })
    const cells = code.data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    return { size: code.size, path: cells.join('') }
  }, [text])
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 self-center rounded-md"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
