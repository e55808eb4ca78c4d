import type { Control } from 'react-hook-form'
import { FileField } from '@/components/drops/file-field'
import type { EditDropForm, EditedDrop } from '@/lib/drops/edit-schema'
import type { SellerDropView } from '@/lib/drops/view'
import { LinkField } from './link-field'

type DeliveryFieldsProps = {
  control: Control<EditDropForm, unknown, EditedDrop>
  drop: Pick<SellerDropView, 'id' | 'productType' | 'digitalFileName'>
}

/** Shows what buyers of a digital drop get, while it can be replaced by another file or by a link. */
export function DeliveryFields({ control, drop: { id, productType, digitalFileName: name } }: DeliveryFieldsProps) {
  const current = name ? 'file' : productType === 'digital' ? 'link' : 'nothing'
  const link = <LinkField control={control} dropId={id} current={current} />
  return (
    <>
      {name ? null : link}
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-semibold">{name ? 'File for buyers' : 'Or a file'}</legend>
        {name ? (
          <p className="text-sm break-words">
            Buyers get <span className="font-semibold">{name}</span>. You can replace it until the first sale.
          </p>
        ) : null}
        <FileField control={control} name="digitalFile" id={`edit-file-${id}`} />
      </fieldset>
      {name ? link : null}
    </>
  )
}
