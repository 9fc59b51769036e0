/** The invoice list and the order page: everything that happens without loading the page. */

export interface InvoiceSummary {
  invoiceId: number;
  invoiceNumber: string;
  customerName: string;
  dueDate: string;
  currency: string;
  openAmount: number;
}

export type Tone = "current" | "late" | "very-late";

const MS_PER_DAY = 24 * 60 * 60 * 1000;

export class InvoiceClient {
  constructor(private readonly baseUrl: string = "/api/invoices") {}

  async search(text: string, overdueOnly = false): Promise<InvoiceSummary[]> {
    const query = new URLSearchParams({ text, overdueOnly: String(overdueOnly) });
    const response = await fetch(`${this.baseUrl}?${query}`);
    if (!response.ok) {
      throw new Error(`Search failed with ${response.status}`);
    }
    return (await response.json()) as InvoiceSummary[];
  }

  async createFromOrder(orderId: number): Promise<number> {
    const response = await fetch(this.baseUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ orderId }),
    });
    const { id } = (await response.json()) as { id: number };
    return id;
  }
}

/** Mirrors CssOf in OpenItems.razor. */
export function toneOf(invoice: InvoiceSummary, today: Date = new Date()): Tone {
  const days = Math.floor((today.getTime() - new Date(invoice.dueDate).getTime()) / MS_PER_DAY);
  if (days <= 0 || invoice.openAmount <= 0) return "current";
  return days <= 30 ? "late" : "very-late";
}

const client = new InvoiceClient();

document.querySelectorAll<HTMLButtonElement>("[data-create-invoice]").forEach((button) => {
  button.addEventListener("click", async () => {
    button.disabled = true;
    const id = await client.createFromOrder(Number(button.dataset.createInvoice));
    location.assign(`/Invoices/Details/${id}`);
  });
});
