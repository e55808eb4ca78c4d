// The parts of the phrases below. An underscore stands for the space between two words.
const MY = '(?:(?:my|the|an|a|this|that|any|our|your)_)?'
const ORDER = '(?:order|purchase)'
const GOODS = '(?:order|purchase|package|parcel|delivery|shipment|item|product|stuff|thing|anything|goods)'
const NOT = "(?:not|never|(?:has|have|had|is|did|does|do|was|ca|wo)n'?t)(?:_yet|_even|_still)?"
const SELLER = '(?:seller|creator|vendor|shop|store|maker)'
const EMAIL = '(?:(?:confirmation|order|receipt)_)?(?:e-?mail|mail|receipt|confirmation|invoice)'
const PRO = '(?:pro|(?:my|the|your)_plan|subscription)'

/**
 * The phrases of buyers, checked before the wide topics, whose words they contain. Each phrase is a regular expression
 * in which an underscore stands for the space between two words. A question about a refund or the end of Pro is
 * answered with the plans.
 */
export const buyerTopics = [
  [
    'plans',
    `(?:refund|refunded|money_back|cancel|cancell?ing)(?=.*(?<!\\p{L})${PRO}(?!\\p{L}))
     ${PRO}(?=.*(?<!\\p{L})(?:refund|money[\\s-]+back|cancel))`,
  ],
  [
    'cancelOrder',
    `cancell?_${MY}(?:${ORDER}|payment|checkout|reservation) cancell?ing_${MY}(?:${ORDER}|payment)
     (?:${ORDER})_cancell?ation cancell?ation_of_${MY}${ORDER} undo_${MY}${ORDER}
     (?:ordered|bought|paid|purchased)(?:_\\p{L}+){0,3}_by_(?:mistake|accident) accidentally_(?:ordered|bought|paid)
     changed_my_mind ${NOT}_want_(?:it|this|${MY}${ORDER})`,
  ],
  [
    'refund',
    `refund refunded refunding refundable (?:my|our|get|want|have|the)_(?:my_|our_)?money_back(?!_guarantee)
     return_(?:it|this|them|these|${MY}${GOODS}) returning_(?:it|this|them|${MY}${GOODS}) (?:do|can|could|to)_i_return(?!_to)
     return_policy return_policies return_address return_label send_(?:it|this|them|${MY}${GOODS})_back exchange damaged
     defective faulty not_as_described not_what_i_ordered wrong_(?:size|colou?r|item|product|thing|one)
     ${NOT}_fit arrived_(?:broken|wrong) came_broken (?:item|product|package|parcel)_(?:is|was)_(?:broken|wrong)`,
  ],
  [
    'contactSeller',
    `(?:contact|message|write|write_to|reach|ask|email|text|call|talk_to|speak_to|speak_with|chat_with|get_in_touch_with)_${MY}${SELLER}
     contacting_${MY}${SELLER} (?:question|message)_(?:for|to)_${MY}${SELLER} ${SELLER}(?:'s)?_(?:email|e-mail|phone|contact|number)
     ${SELLER}_(?:is_|does_|did_|has_|will_)?${NOT}_(?:answer|answering|answered|reply|replying|replied|respond|responding|responded|email|message|contact)
     ${SELLER}_(?:ignores|is_ignoring)`,
  ],
  [
    'noEmail',
    `${NOT}_(?:get|got|gotten|receive|received|receiving|see|seen|find)_${MY}${EMAIL} ${NOT}_(?:confirmation|order|receipt)_email
     no_${EMAIL} ${EMAIL}_(?:has_|did_|is_)?${NOT}_(?:come|came|arrive|arrived|here|sent) ${EMAIL}_never_(?:came|arrived)
     (?:lost|deleted|find|resend|send|need|want|get|print|where_is|where's)_(?:me_)?${MY}(?:receipt|invoice|confirmation_email|order_email)
     order_confirmation receipt invoice (?:wrong|mistyped|typo_in)_${MY}email`,
  ],
  [
    'paymentFailed',
    `(?:card|payment)_(?:was_|is_|got_|has_been_|keeps_being_|keeps_)?(?:declined|rejected|refused|failed|failing|stuck)
     payment_(?:did_|does_|has_)?${NOT}_(?:go|gone|work|working|come) (?:charged|paid|billed)_(?:me_)?(?:twice|two_times|double)
     double_charged double_charge paid_but i_paid_and_(?:have|got|see|there) ${NOT}_have_${MY}order
     ${NOT}_pay_(?:with|by) payment_problem problem_with_${MY}payment`,
  ],
  [
    'tracking',
    `package parcel shipment tracking_(?:number|code|link|id|info|information|details|page|status) track_(?:it|${MY}${GOODS})
     tracking_(?:of|for)_${MY}${GOODS} (?:order|delivery)_tracking my_tracking no_tracking
     ${NOT}_(?:arrive|arrived|come|came|delivered|been_delivered|been_shipped|shipped|been_sent|shown_up|show_up)
     ${NOT}_(?:receive|received|get|got|gotten)_(?:it|${MY}${GOODS}) nothing_(?:has_)?(?:arrived|came|come)
     when_(?:will|does|do|is|are)(?:_\\p{L}+){1,3}_(?:arrive|arriving|come|coming|ship|shipping|be_shipped|delivered|be_delivered|get_here|be_here)
     (?:did|has|have|was)_${MY}${ORDER}_(?:been_)?(?:ship|shipped|sent) (?:order|delivery)_(?:is_)?late late_delivery
     lost_in_(?:the_)?(?:mail|post) how_long_does_(?:shipping|delivery|it)_take(?:_to_arrive)? delivery_time shipping_time delivery_date`,
  ],
  [
    'orderStatus',
    `my_${ORDER} (?:where|find|see|view|open|show|check|locate|lost|look_up)(?:_is|_are|_me|'s)?_${MY}${ORDER}
     ${ORDER}_(?:status|page|link|history|number|id|details) status_of_${MY}${ORDER} i_(?:just_|have_)?(?:bought|ordered|purchased)
     (?:where|find|get|open|download)(?:_is|_are|'s)?_(?:my|the)_(?:download|file) my_download download_(?:it|link|my_file)
     how_do_i_download what_did_i_(?:buy|order)`,
  ],
  [
    'safety',
    `(?:is|are)_(?:it|this|that|you|paying|buying)(?:_\\p{L}+){0,2}_(?:safe|legit|secure|real) safe_to_(?:pay|buy|order) scam scammed legit fraud can_i_trust`,
  ],
  [
    'support',
    `contact_(?:you|us|support|customer|someone|anyone) (?:talk|speak|chat)_(?:to|with)_(?:a_|an_|some)?(?:human|person|one|body|agent|support|real_person)
     customer_(?:service|support|care) support_(?:email|team) real_person write_to_you reach_you email_you call_you`,
  ],
] as const
