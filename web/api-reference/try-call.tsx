import { useEffect, useRef, useState } from 'react'
import { saveFile } from '#web/files/save-file.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { CodeBlock } from '#web/ui/text/code-block.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import type { ApiCall } from './api-calls.ts'
import { type CallAnswer, type CallSender, sendCall } from './call-answer.ts'
import { type CallForm, createBlankForm, findFormProblems, getParameterKey, toCurlCommand } from './call-request.ts'

/** Sends the call only when the person presses Send; the pasted token stays in this component's memory. */
export function TryCall({ call, isSignedIn }: { call: ApiCall; isSignedIn: boolean }) {
  const [form, setForm] = useState<CallForm>(() => createBlankForm(call))
  const [sender, setSender] = useState(getInitialSender(call, isSignedIn))
  const [token, setToken] = useState('')
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [isConfirming, setConfirming] = useState(false)
  const [isSending, setSending] = useState(false)
  const [answer, setAnswer] = useState<CallAnswer>()
  const [failure, setFailure] = useState<string>()
  const controller = useRef<AbortController>(null)
  useEffect(() => () => controller.current?.abort(), [])
  const canChangeData = call.method !== 'GET'

  function submit() {
    const formProblems = {
      ...findFormProblems(call, form),
      ...(sender === 'token' && token.trim() === '' && { token: 'Paste an access token.' }),
    }
    setProblems(formProblems)
    if (Object.keys(formProblems).length > 0) return
    if (canChangeData) setConfirming(true)
    else void send()
  }

  async function send() {
    const abort = new AbortController()
    controller.current = abort
    setSending(true)
    setAnswer(undefined)
    setFailure(undefined)
    try {
      await sendCall(call, form, { sender, token, signal: abort.signal, onAnswer: setAnswer })
    } catch (error) {
      if (!abort.signal.aborted) setFailure(getErrorMessage(error))
    } finally {
      setSending(false)
    }
  }

  const setValue = (key: string, value: string) =>
    setForm((current) => ({ ...current, values: { ...current.values, [key]: value } }))
  return (
    <section
      aria-label="Try it"
      className="mt-5 rounded-lg border border-border bg-card px-5 py-4 shadow-e1 phone:px-4"
    >
      <h3>Try it</h3>
      <form
        noValidate
        className="mt-3 grid max-w-[560px] gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <SelectField
          label="Send as"
          value={sender}
          onChange={(event) => setSender(event.currentTarget.value as CallSender)}
          options={[
            { value: 'session', label: 'Yourself, with this session', disabled: !isSignedIn },
            { value: 'token', label: 'A program, with an access token' },
            { value: 'nobody', label: 'A visitor, without a token' },
          ]}
        />
        {sender === 'token' && (
          // Not a password field: browsers offer to store those.
          <TextField
            mono
            label="Access token"
            autoComplete="off"
            spellCheck={false}
            help="Sent with this call only. It isn’t stored and is gone when you leave this call."
            value={token}
            error={problems.token}
            onChange={(event) => setToken(event.currentTarget.value)}
          />
        )}
        {call.parameters.map((parameter) => {
          const key = getParameterKey(parameter)
          return (
            <TextField
              key={key}
              mono
              label={parameter.name}
              required={parameter.required}
              autoComplete="off"
              value={form.values[key] ?? ''}
              error={problems[key]}
              onChange={(event) => setValue(key, event.currentTarget.value)}
            />
          )
        })}
        {call.body && (
          <TextArea
            mono
            label="Body (JSON)"
            spellCheck={false}
            value={form.body}
            error={problems.body}
            onChange={(event) => setForm({ ...form, body: event.currentTarget.value })}
          />
        )}
        {call.uploadTypes.length > 0 && (
          <TextField
            type="file"
            label="File"
            error={problems.body}
            onChange={(event) => setForm({ ...form, file: event.currentTarget.files?.[0] })}
          />
        )}
        {call.canStream && (
          <Checkbox
            label="As a stream of events"
            checked={form.asStream}
            onCheckedChange={(asStream) => setForm({ ...form, asStream })}
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={isSending} busyLabel="Sending...">
            Send
          </Button>
          {isSending && <Button onClick={() => controller.current?.abort()}>Stop</Button>}
        </div>
      </form>
      <Answer answer={answer} failure={failure} isSending={isSending} />
      <h4 className="mt-5 mb-2 text-ui font-label">With curl</h4>
      <CodeBlock className="mt-2" label="curl command" value={toCurlCommand(call, form, window.location.origin)} />
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={call.method === 'DELETE' ? 'Send a call that deletes data?' : 'Send a call that can change things?'}
        confirmLabel="Send"
        onConfirm={() => void send()}
      >
        <p>
          <code className="font-mono text-code wrap-anywhere">
            {call.method} {call.path}
          </code>
        </p>
        <p className="mt-2">
          {call.method === 'DELETE'
            ? 'This is a real call: it deletes data on this server.'
            : 'This is a real call: it can create or change things on this server, send emails, or cost money at a provider.'}
        </p>
      </ConfirmDialog>
    </section>
  )
}

function getInitialSender({ isPublic }: ApiCall, isSignedIn: boolean): CallSender {
  if (isSignedIn) return 'session'
  return isPublic ? 'nobody' : 'token'
}

interface AnswerProps {
  answer: CallAnswer | undefined
  failure: string | undefined
  isSending: boolean
}

function Answer({ answer, failure, isSending }: AnswerProps) {
  return (
    <div className="mt-4">
      {failure && <ErrorText>{failure}</ErrorText>}
      <p role="status" className="text-ui wrap-anywhere">
        {answer && (
          <>
            <strong>{answer.status}</strong> in {answer.milliseconds} ms
            {answer.requestId && `, request ${answer.requestId}`}
            {isSending && ', still arriving'}
          </>
        )}
      </p>
      {answer?.text && <CodeBlock className="mt-2" label="answer" value={indentJson(answer.text)} />}
      {answer?.isTruncated && <p className="mt-1 text-small text-muted-foreground">Only the beginning is shown.</p>}
      {answer?.file && (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-ui">
          {answer.file.size.toLocaleString('en-US')} bytes of {answer.contentType}
          <SaveButton file={answer.file} />
        </p>
      )}
    </div>
  )
}

const SaveButton = ({ file }: { file: Blob }) => (
  <Button size="small" onClick={() => saveFile(file, 'answer')}>
    Save
  </Button>
)

/** Other texts are shown as they are. */
function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
