import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from '../hooks/class-names.ts'

/** 16 px on phones: below that, iOS zooms the page on focus. */
export const controlClasses =
  'w-full rounded-md border border-input bg-card px-[11px] text-body text-foreground transition-[border-color,box-shadow] duration-120 phone:text-lead ' +
  'focus-visible:outline-hidden focus-visible:border-ring focus-visible:shadow-halo ' +
  'aria-invalid:border-destructive aria-invalid:not-focus-visible:inset-ring aria-invalid:inset-ring-destructive ' +
  'disabled:cursor-not-allowed disabled:border-dashed disabled:border-border disabled:bg-muted disabled:text-muted-foreground read-only:not-[select]:bg-muted'

export const controlHeight = 'h-9 phone:h-[2.625rem]'

interface FieldFix {
  label: string
  onFix: () => void
}

export interface FieldProps {
  label: ReactNode
  labelHidden?: boolean
  required?: boolean
  help?: ReactNode
  error?: ReactNode
  success?: ReactNode
  fix?: FieldFix
  className?: string
}

interface ControlProps {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
  'aria-required': true | undefined
}

export interface FieldFrameProps extends FieldProps {
  id?: string
  aside?: ReactNode
  children: (control: ControlProps) => ReactNode
}

/** Separates frame props from control props. */
export function splitFieldProps<Props extends Omit<FieldFrameProps, 'children'>>(props: Props) {
  const { id, label, labelHidden, required, help, error, success, fix, className, aside, ...control } = props
  return { field: { id, label, labelHidden, required, help, error, success, fix, className, aside }, control }
}

export function Field({
  id,
  label,
  labelHidden = false,
  required = false,
  help,
  error,
  success,
  fix,
  aside,
  className,
  children,
}: FieldFrameProps) {
  const generatedId = useId()
  const controlId = id ?? generatedId
  const noteId = `${controlId}-note`
  const hasNote = Boolean(error || success || help)
  return (
    <div data-field className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
      <div className={classNames(labelHidden ? 'sr-only' : 'flex items-center gap-1.5')}>
        <label htmlFor={controlId} className="text-ui leading-[1.125rem] font-label">
          {label}
          {required && !labelHidden && (
            <span aria-hidden className="ms-1.5 font-semibold text-destructive">
              *
            </span>
          )}
        </label>
        {aside && <span className="ms-auto text-small text-muted-foreground">{aside}</span>}
      </div>
      {children({
        id: controlId,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-required': required || undefined,
      })}
      {/* The live region is always there: one that appears with its text is read twice. */}
      <div id={noteId} className="text-small leading-[1.0625rem] has-[>:only-child:empty]:sr-only">
        <div aria-live="polite">
          {error ? (
            <span className="flex items-start gap-[5px] font-medium text-destructive">
              <CircleAlert aria-hidden size={13} className="mt-0.5 shrink-0" />
              <span>
                {error}
                {fix && <FixButton {...fix} />}
              </span>
            </span>
          ) : (
            success && <span className="font-medium text-success">{success}</span>
          )}
        </div>
        {!error && !success && help && <span className="text-muted-foreground">{help}</span>}
      </div>
    </div>
  )
}

function FixButton({ label, onFix }: FieldFix) {
  return (
    <button
      type="button"
      onClick={onFix}
      className="-my-1 ms-1.5 rounded-xs py-1 font-semibold text-foreground underline underline-offset-2"
    >
      {label}
    </button>
  )
}

/** Waits until the errors are rendered, which can take more than one frame. */
export function focusFirstInvalid(form: HTMLElement | null, maxFrames = 5): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (field) field.focus()
    else if (maxFrames > 1) focusFirstInvalid(form, maxFrames - 1)
  })
}

/** For `onOpenAutoFocus`: focuses the first field instead of the close button. */
export function focusFirstField(event: Event): void {
  const field = (event.currentTarget as HTMLElement | null)?.querySelector<HTMLElement>('form input, form textarea')
  if (!field) return
  event.preventDefault()
  field.focus()
}
