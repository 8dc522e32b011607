import { useMemo } from 'react'
import { encode } from 'uqr'
import { secondFactor } from '#contract/accounts/second-factor.ts'
import { call } from '#web/api/api.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { CodeField, getCodeProblem } from './code-field.tsx'
import { useSubmit } from './use-submit.ts'

interface SetUpCodesDialogProps {
  secret: string
  uri: string
  onClose: () => void
  onEnabled: (recoveryCodes: string[]) => void
}

export function SetUpCodesDialog({ secret, uri, onClose, onEnabled }: SetUpCodesDialogProps) {
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
          Or enter this secret:{' '}
          <code className="text-foreground wrap-anywhere">{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
        </p>
        <CopyButton text={secret}>Copy</CopyButton>
      </div>
      <CodeField error={errors.code} help="The 6 digits that the app shows now." />
    </FormDialog>
  )
}

/** Drawn here: the secret must not leave the page. Dark on white in every theme, as cameras expect. */
function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { ecc: 'M', border: 3 })
    const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    return { size, path: cells.join('') }
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
