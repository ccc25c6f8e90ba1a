"""The words of articles and documents."""

from __future__ import annotations

from lens_library.able import texts
from lens_library.able.draw import Draw

FORMS = ("dealer agreement", "service report", "quality review", "handbook")

ARTICLES = (
    ("returns", "How long a return is possible", "Unused goods can be returned within 30 days of delivery."),
    ("returns", "Who pays for a return", "The shop pays the label when the goods were wrong or damaged."),
    (
        "returns",
        "Cracked frames",
        "A cracked frame is exchanged without a return; the rider must not use it.",
    ),
    ("returns", "Return of safety goods", "Helmets and child seats are taken back unused and sealed only."),
    ("returns", "Goods that were used", "Used goods go to inspection; the refund follows the inspection."),
    ("billing", "Charged twice", "A second charge is paid back by the payment provider, never by voucher."),
    (
        "billing",
        "Correcting an invoice",
        "An invoice is corrected by a second invoice; the first one is cancelled.",
    ),
    (
        "billing",
        "When a refund counts",
        "A refund counts when the payment provider reports it as carried out.",
    ),
    ("billing", "Tax numbers", "A tax number is added to invoices of the running and the last quarter."),
    ("billing", "Reminders", "A reminder is stopped as soon as a payment is found, and an apology sent."),
    (
        "logistics",
        "Lost parcels",
        "A parcel without a scan for 14 days counts as lost; a replacement is sent.",
    ),
    (
        "logistics",
        "Delivered but not received",
        "The carrier is asked for proof of delivery within two days.",
    ),
    ("logistics", "Pickup points", "An order can be sent to a pickup point until it has left the warehouse."),
    ("logistics", "Change of address", "An address is changed by the customer's own written request only."),
    ("logistics", "Holding an order", "An order is held for at most 21 days."),
)
"""Team, title and answer of every article."""

_SENTENCES = (
    "In week {week} {count} units of the {product} were inspected at {city}, and {few} of them were set aside.",
    "The workshop in {city} replaced the bearings of the {product} and rode it for {count} kilometres.",
    "Torque on the {product} was measured at {few} newton metres, which is inside the agreed range.",
    "The dealer keeps at least {few} of every {product} in stock and reports the level each Monday.",
    "Payment is due {count} days after the invoice; a delay of more than {few} days carries interest.",
    "A claim about the {product} is raised in writing, with photographs, within {count} days of delivery.",
    "Packaging of the {product} was changed in week {week} after {few} boxes arrived open in {city}.",
    "The carrier scanned {count} parcels in {city}, and {few} of them could not be matched to an order.",
    "The rider of the {product} reported a noise from the rear that began after {count} kilometres.",
    "A crack of {few} millimetres was found along the weld of the {product}, hidden by the paint.",
    "The supplier in {city} confirmed the finding and changed the weld of the {product} in week {week}.",
    "Neither party may pass on the prices of the {product} without the consent of the other.",
    "Either side may end the agreement with {count} days of notice, and at once after {few} late payments.",
    "Of {count} customers who were asked about the {product}, {few} would not buy it again.",
    "The manual now says that the {product} must be checked after the first {count} kilometres.",
    "The batch from week {week} was recalled in {city}; {few} units had already been sold.",
    "Returned units of the {product} are kept for {count} days and are then taken apart for spare parts.",
    "The price of the {product} is held until week {week} for orders of more than {few} units.",
    "Two inspectors in {city} disagreed about the {product}: one passed it, the other set it aside.",
    "A second test of the {product} over {count} kilometres showed no change.",
)


def passage(draw: Draw, sentences: int) -> str:
    """That many sentences, about 16 words each."""
    return " ".join(
        draw.one(_SENTENCES).format(
            product=draw.one(texts.PRODUCTS),
            city=draw.one(texts.CITIES),
            week=1 + draw.below(26),
            count=14 + draw.below(400),
            few=2 + draw.below(12),
        )
        for _ in range(sentences)
    )
