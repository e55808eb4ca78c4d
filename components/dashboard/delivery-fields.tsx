import type { Control } from 'react-hook-form'
import { FileField } from '@/components/drops/file-field'
import type { EditDropForm, EditedDrop } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { LinkField } from './link-field'

type DeliveryFieldsProps = {
  control: Control<EditDropForm, unknown, EditedDrop>
  drop: Pick<SellerDropView, 'id' | 'productType' | 'digitalFileName'>
}

/** Shows what buyers of a digital drop get, while it can be replaced by another file or by a link. */
export function DeliveryFields({ control, drop: { id, productType, digitalFileName } }: DeliveryFieldsProps) {
  return (
    <>
      <LinkField control={control} dropId={id} hasFile={productType === 'digital'} />
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-semibold">
          {digitalFileName ? 'Or replace the file' : 'Or upload a file'}
        </legend>
        {digitalFileName ? (
          <p className="text-sm break-words">
            Buyers get <span className="font-semibold">{digitalFileName}</span>. You can replace it until the first
            sale.
          </p>
        ) : null}
        <FileField control={control} name="digitalFile" id={`edit-file-${id}`} />
      </fieldset>
    </>
  )
}
