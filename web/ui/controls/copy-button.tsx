import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { IconButton } from './icon-button.tsx'

interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'busy' | 'busyLabel'> {
  text: string | (() => string | Promise<string>)
  label?: string
  onCopyFailed?: (reason: unknown) => void
}

const copiedLabel = 'Copied'
const statusDurationMs = 2000

export function CopyButton({
  text,
  label = 'Copy',
  onCopyFailed,
  children,
  icon = <Copy aria-hidden size={14} />,
  size = 'small',
  ...rest
}: CopyButtonProps) {
  const [status, setStatus] = useState('')
  useEffect(() => {
    if (!status) return
    const timer = setTimeout(() => setStatus(''), statusDurationMs)
    return () => clearTimeout(timer)
  }, [status])

  async function copy() {
    try {
      await copyText(typeof text === 'function' ? await text() : text)
      setStatus(copiedLabel)
    } catch (reason) {
      if (onCopyFailed) onCopyFailed(reason)
      else setStatus('Failed to copy to clipboard')
    }
  }

  const statusIcon = status === copiedLabel ? <Check aria-hidden size={14} className="text-success" /> : icon
  return (
    <>
      {children === undefined ? (
        <IconButton label={status || label} size="small" onClick={copy} className={rest.className}>
          {statusIcon}
        </IconButton>
      ) : (
        <Button {...rest} size={size} onClick={copy} icon={statusIcon}>
          {status || children}
        </Button>
      )}
      <span role="status" className="sr-only">
        {status}
      </span>
    </>
  )
}

/** navigator.clipboard exists only on https and localhost; home servers are often plain http. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const textArea = document.createElement('textarea')
  textArea.value = text
  textArea.readOnly = true
  textArea.className = 'sr-only'
  document.body.append(textArea)
  textArea.select()
  const hasCopied = document.execCommand('copy')
  textArea.remove()
  if (!hasCopied) throw new Error('The browser refused to copy')
}
