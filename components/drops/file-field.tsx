'use client'

import { FileUp, FileCheck2, TriangleAlert, X } from 'lucide-react'
import { useRef } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { cn } from '@/components/ui/class-names'
import { FieldDescription, FieldError } from '@/components/ui/field'
import { toast } from '@/lib/client/toast-store'
import { dropTexts, dropToasts } from '@/lib/drops/messages'
import { fileProblem, LARGE_FILE_BYTES } from '@/lib/drops/rules'
import { FILE_KINDS } from '@/lib/kernel/file-kind'

const ACCEPT = [...FILE_KINDS, 'jpeg'].map((kind) => `.${kind}`).join(',')

const megabytes = (bytes: number) =>
  bytes < 1_048_576 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`

const problemTexts = {
  empty: dropTexts.fileEmpty,
  tooLarge: dropTexts.fileTooLarge,
  badKind: dropTexts.badFile,
} as const

type FileFieldProps<Form extends FieldValues, Output> = {
  control: Control<Form, unknown, Output>
  name: FieldPath<Form>
  id: string
  /** The text of the button that opens the file picker. */
  label?: string
}

/** Asks for the file that buyers of a digital drop get. */
export function FileField<Form extends FieldValues, Output>({
  control,
  name,
  id,
  label = 'Choose a file',
}: FileFieldProps<Form, Output>) {
  const { field, fieldState } = useController({ control, name })
  const { ref, onChange } = field
  const file = field.value as File | null
  const input = useRef<HTMLInputElement>(null)
  const error = fieldState.error?.message

  function choose(picked: File | undefined) {
    if (!picked) return
    // The file is checked before any of it is sent.
    const problem = fileProblem(picked)
    if (problem) return toast({ title: 'Error', description: problemTexts[problem], tone: 'bad', durationMs: 5000 })
    if (picked.size > LARGE_FILE_BYTES) toast({ ...dropToasts.largeFile, durationMs: 5000 })
    onChange(picked)
  }

  return (
    <div
      className="grid gap-2"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        choose(event.dataTransfer.files[0])
      }}
    >
      <input
        ref={input}
        type="file"
        accept={ACCEPT}
        className="sr-only"
        tabIndex={-1}
        aria-label="Choose a digital file"
        onChange={(event) => {
          choose(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      {file ? (
        <PickedFile file={file} onRemove={() => onChange(null)} />
      ) : (
        <button
          ref={ref}
          id={id}
          type="button"
          data-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error ${id}-hint` : `${id}-hint`}
          onClick={() => input.current?.click()}
          className={cn(
            'flex min-h-20 w-full items-center justify-center gap-3 rounded-card border-2 border-dashed border-control bg-surface px-4 font-semibold hover:bg-sunken',
            error && 'border-bad',
          )}
        >
          <FileUp aria-hidden className="size-6 text-ember" />
          {label}
        </button>
      )}
      {file && file.size > LARGE_FILE_BYTES ? <LargeFileWarning /> : null}
      <FieldError id={`${id}-error`}>{error}</FieldError>
      <FieldDescription id={`${id}-hint`}>
        PDF, ZIP, DOC, DOCX, JPG, PNG, MP4 or MP3, up to 500MB. Only buyers can download it.
      </FieldDescription>
    </div>
  )
}

function PickedFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  return (
    <div className="flex items-center gap-3 rounded-card border bg-surface py-2 pe-2 ps-4">
      <FileCheck2 aria-hidden className="size-6 shrink-0 text-good" />
      <p className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{file.name}</span>
        <span className="tabular text-sm text-muted">{megabytes(file.size)}</span>
      </p>
      <button
        type="button"
        aria-label="Remove the file"
        onClick={onRemove}
        className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink"
      >
        <X aria-hidden className="size-5" />
      </button>
    </div>
  )
}

function LargeFileWarning() {
  return (
    <p className="flex gap-2 rounded-control bg-warn/8 p-3 text-sm text-warn">
      <TriangleAlert aria-hidden className="size-5 shrink-0" />
      <span>
        <strong className="block">{dropToasts.largeFile.title}</strong>
        {dropToasts.largeFile.description}
      </span>
    </p>
  )
}
