def test_info_and_schema_can_be_attached(shop):
    listed = [str(resource.uri) for resource in shop.portal.call(shop.client.list_resources).resources]
    texts = [shop.portal.call(shop.client.read_resource, uri).contents[0].text for uri in listed]

    assert listed == ["ragduck://info", "ragduck://schema"]
    assert "branch shop, main" in texts[0]
    assert "edges -- " in texts[1]


def test_a_file_can_be_attached(shop):
    text = (
        shop.portal.call(shop.client.read_resource, "ragduck://source/shop/main/docs/invoicing.md")
        .contents[0]
        .text
    )

    assert text.split("\n")[1] == "# Invoicing"


def test_blanks_in_an_address_are_decoded(shop):
    uri = "ragduck://source/shop/main/database/Shop.Database/dbo/Stored%20Procedures/Invoice_Create.sql"

    assert "CREATE" in shop.portal.call(shop.client.read_resource, uri).contents[0].text


def test_the_template_of_files_is_listed(shop):
    templates = shop.portal.call(shop.client.list_resource_templates).resource_templates

    assert [template.uri_template for template in templates] == ["ragduck://source/{repo}/{branch}/{+path}"]


def test_prompts_take_what_they_are_about(shop):
    names = [prompt.name for prompt in shop.portal.call(shop.client.list_prompts).prompts]
    prompt = shop.portal.call(shop.client.get_prompt, "impact", {"object": "dbo.Invoice"})

    assert names == ["explain", "impact"]
    assert prompt.messages[0].content.text.startswith("What may break when this changes: dbo.Invoice\n")
